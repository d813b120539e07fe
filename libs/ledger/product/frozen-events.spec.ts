import { describe, expect, test } from '@jest/globals';
import { productDecider, type Product, type ProductEvent } from '#ledger';
import { foldFrozen, testExamples } from '#ledger/contract';

/** A stream as it stands in logs that people have; never change a line (see the account's). */
const stream = [
  String.raw`{"type":"ProductCreated","data":{"productId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA1","amount":"249.99","ownerName":"Mary Okafor","productName":"Rig One","description":"Six cards, quiet.","title":"A rig for a start","subtitle":"Ready to run","image":"iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii1","ownerImage":"oooooooooooooooooooooooooooooooooo1","recommendedImages":["rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr1","ssssssssssssssssssssssssssssssssss1"],"isActive":true,"isOutOfStock":false},"id":"73a77291-66d9-55de-994b-4613fa4bf6ee","version":1,"stream":"product-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA1","revision":0,"at":"2026-02-01T12:00:01.500Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"b7e78df6-3ff7-50da-a493-75d1d3e17045","requestHash":"dd191696e15e2ee293410d02454c5f9461a2249dee6d57c75f264eaeb83a3782","correlationId":"b7e78df6-3ff7-50da-a493-75d1d3e17045","causationId":"b7e78df6-3ff7-50da-a493-75d1d3e17045","session":"s2","chain":"0975160f317c91c9b7dff1b21a0e9f91241d30e6e813d9127459037a8cada39b"}}`,
  String.raw`{"type":"ProductChanged","data":{"amount":"199.00","title":"A rig to start with","recommendedImages":["ssssssssssssssssssssssssssssssssss1"],"isActive":false},"id":"543883f0-ce48-5510-829d-6811e04ba561","version":1,"stream":"product-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA1","revision":1,"at":"2026-02-01T12:00:03.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"38de933f-e330-5531-b05f-2ef9a6e0f7c9","requestHash":"82f3e9c695dc6b8d1b11818d5701919e286de8d47f7c3eb3100c485f79e57828","correlationId":"38de933f-e330-5531-b05f-2ef9a6e0f7c9","causationId":"38de933f-e330-5531-b05f-2ef9a6e0f7c9","session":"s2","chain":"ed7503dc1b819b8e50f4ff164b9f76e3ac6e5d3ce01ffe84164ffa80e9eeab4e"}}`,
  String.raw`{"type":"ProductStockChanged","data":{"isOutOfStock":true},"id":"a809972c-f75a-5307-8f89-32b10eea0e19","version":1,"stream":"product-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA1","revision":2,"at":"2026-02-01T12:00:04.500Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"46b497d1-4ae0-5b14-9738-cd14c72c612f","requestHash":"db77fd01af957221a4989b64b3770a83a3c56068405b9f0e9408feae57fd17e4","correlationId":"46b497d1-4ae0-5b14-9738-cd14c72c612f","causationId":"46b497d1-4ae0-5b14-9738-cd14c72c612f","session":"s2","chain":"c37752a9ef64c06cc6f237c5e10718d1d88954a67539665038e469e3387c93be"}}`,
  String.raw`{"type":"ProductDeleted","data":{},"id":"5b0d95b4-c341-5391-829c-517bb0d44524","version":1,"stream":"product-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA1","revision":3,"at":"2026-02-01T12:00:06.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"05155aac-d28b-52b3-b02a-4574cbc1f0bf","requestHash":"e49d63b2a8a78f048bafc4b4590029603a5a4165ee8bf98af15d62f24cd83479","correlationId":"05155aac-d28b-52b3-b02a-4574cbc1f0bf","causationId":"05155aac-d28b-52b3-b02a-4574cbc1f0bf","session":"s2","chain":"cdd7c4928c93270af06bb8967d313561dfd3b8c7ee8d606883417ebd16a4cf6c"}}`,
];

describe('the events of a product are frozen', () => {
  testExamples(productDecider.codecs, [stream]);

  test('the stored stream gives the state that it always gave', () => {
    const after = (events: number) =>
      foldFrozen<ProductEvent, Product>(productDecider, stream.slice(0, events));
    const productId = `${'A'.repeat(34)}1`;
    const created: Product = {
      kind: 'stored',
      productId,
      isOutOfStock: false,
      fields: {
        amount: 24_999n,
        ownerName: 'Mary Okafor',
        productName: 'Rig One',
        description: 'Six cards, quiet.',
        title: 'A rig for a start',
        subtitle: 'Ready to run',
        image: `${'i'.repeat(34)}1`,
        ownerImage: `${'o'.repeat(34)}1`,
        recommendedImages: [`${'r'.repeat(34)}1`, `${'s'.repeat(34)}1`],
        isActive: true,
      },
    };
    expect(after(1)).toEqual(created);
    expect(after(3)).toEqual({
      ...created,
      isOutOfStock: true,
      fields: {
        ...created.fields,
        amount: 19_900n,
        title: 'A rig to start with',
        recommendedImages: [`${'s'.repeat(34)}1`],
        isActive: false,
      },
    });
    expect(after(4)).toEqual({ kind: 'deleted', productId });
  });
});
