import { describe, expect, test } from '@jest/globals';
import { securityDecider, type Security, type SecurityEvent } from '#ledger';
import { exampleTypes, foldFrozen, holdsChain, storedAgain } from '#ledger/testing';

/** A stream as it stands in logs that people have; never change a line (see the account's). */
const stream = [
  String.raw`{"type":"SignInsRefused","data":{"minute":"2026-01-02T08:00:00.000Z","count":12,"network":"v1.AAECAwQFBgcICQoL.BAUGBwgJCgsMDQ4P3q2-7wECAw","key":"networks-2026-01"},"id":"5cf21150-efbe-5a5f-a9be-ccda0b8a99ea","version":1,"stream":"security-2026-01-02T08","revision":0,"at":"2026-01-02T08:01:01.000Z","meta":{"actor":{"kind":"person","id":"visitor","role":"visitor"},"causationId":"650d91af-1b3f-5167-aad2-75c6468f6d7c","commandId":"650d91af-1b3f-5167-aad2-75c6468f6d7c","correlationId":"650d91af-1b3f-5167-aad2-75c6468f6d7c","requestHash":"714103fd9837f19ceada984a0f3827b71e925ffbcc7db200ff4f9c26f48775e9","chain":"93b5cfedf6140d911348a8acb0d809c9d142c7e56c6d8ed366915303959ee8e3"}}`,
  String.raw`{"type":"RequestsForbidden","data":{"minute":"2026-01-02T08:00:00.000Z","count":3,"userId":"u1","client":"v1.AAECAwQFBgcICQoL.3q2-7wECAwQFBgcICQoLDA0ODw"},"id":"4388511c-6533-5dac-b579-acdd8202064f","version":1,"stream":"security-2026-01-02T08","revision":1,"at":"2026-01-02T08:01:02.000Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"causationId":"ca99a897-d636-5719-8da5-ce33dc95365f","commandId":"ca99a897-d636-5719-8da5-ce33dc95365f","correlationId":"ca99a897-d636-5719-8da5-ce33dc95365f","requestHash":"822c84a8b4a17cc3d77a405901835a3acc59667ee5ca3eff439a5c0c63d23512","session":"s1","chain":"733125bb31ddc43f733ef00432ebf7541ff6ff1c207f38e3d628d9704e61ecb5"}}`,
  String.raw`{"type":"RequestsLimited","data":{"minute":"2026-01-02T08:00:00.000Z","count":840,"network":"v1.AAECAwQFBgcICQoL.BAUGBwgJCgsMDQ4P3q2-7wECAw","key":"networks-2026-01"},"id":"5a8dce29-7121-5902-834b-622daad416ff","version":1,"stream":"security-2026-01-02T08","revision":2,"at":"2026-01-02T08:01:03.000Z","meta":{"actor":{"kind":"person","id":"visitor","role":"visitor"},"causationId":"e1f3d66f-9df1-5eaf-9b28-ebfa050f37a3","commandId":"e1f3d66f-9df1-5eaf-9b28-ebfa050f37a3","correlationId":"e1f3d66f-9df1-5eaf-9b28-ebfa050f37a3","requestHash":"1bbd6599c2ea722d5acdbee0079e46077ac8209c5db9eefe17e9e3e8f480ef51","chain":"11bf7431f5a92fe1d8536e6856fdb03b9def0ff6eeaf88339ee5be8e9b4a05c5"}}`,
  String.raw`{"type":"AttemptsLockedOut","data":{"minute":"2026-01-02T08:00:00.000Z","count":2,"network":"v1.AAECAwQFBgcICQoL.BAUGBwgJCgsMDQ4P3q2-7wECAw","key":"networks-2026-01"},"id":"90fe7036-a389-5aa6-9c60-bb361ed4186b","version":1,"stream":"security-2026-01-02T08","revision":3,"at":"2026-01-02T08:01:04.000Z","meta":{"actor":{"kind":"person","id":"visitor","role":"visitor"},"causationId":"ee1d7ee8-923b-5444-a7c0-de22dbf1889a","commandId":"ee1d7ee8-923b-5444-a7c0-de22dbf1889a","correlationId":"ee1d7ee8-923b-5444-a7c0-de22dbf1889a","requestHash":"15f19106fb99b01fdc1ccee5bd58dd16f5c8779f2a2cc7c7f9781e8db65b9881","chain":"4e751a77d888e83358efa397f50cc29c2b1f2be93d86214cd8ac310f371beae7"}}`,
  String.raw`{"type":"ListExported","data":{"minute":"2026-01-02T08:00:00.000Z","count":1,"userId":"a1","client":"v1.AAECAwQFBgcICQoL.3q2-7wECAwQFBgcICQoLDA0ODw","route":"events"},"id":"dbe446fa-aa05-5b4e-9b2f-6442cd67b94f","version":1,"stream":"security-2026-01-02T08","revision":4,"at":"2026-01-02T08:01:05.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"causationId":"d52fcc53-521d-531a-9966-80f5fde7f754","commandId":"d52fcc53-521d-531a-9966-80f5fde7f754","correlationId":"d52fcc53-521d-531a-9966-80f5fde7f754","requestHash":"4bf2ef4a74ac93b9b7a32e4f291fab0e5926a7d2fdfb9113b34154093bb078e4","session":"s2","chain":"9530a1db79bbba0bf55dca2fcdc4f6c624a640b188de98db8cc10c2517945ebb"}}`,
  String.raw`{"type":"PersonRead","data":{"minute":"2026-01-02T08:00:00.000Z","count":1,"userId":"a1","client":"v1.AAECAwQFBgcICQoL.3q2-7wECAwQFBgcICQoLDA0ODw","about":"u1"},"id":"448c74e3-4ea4-53da-abf8-13b7db918545","version":1,"stream":"security-2026-01-02T08","revision":5,"at":"2026-01-02T08:01:06.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"causationId":"1375f572-7882-593a-bb8a-f43a649febbc","commandId":"1375f572-7882-593a-bb8a-f43a649febbc","correlationId":"1375f572-7882-593a-bb8a-f43a649febbc","requestHash":"581ae0ccef4d7c1ca9a62bb97445d8e5d3f538a098298da00ca4d98e7bc7e7d0","session":"s2","chain":"c0a7ddd038c331795253eb358d3fb0b0214e7e925aa2f6c6630f42b5fb96270c"}}`,
  String.raw`{"type":"ListExported","data":{"minute":"2026-01-02T08:07:00.000Z","count":1,"command":"export"},"id":"1e778462-4d1e-5536-914a-eacdc8d2d91e","version":1,"stream":"security-2026-01-02T08","revision":6,"at":"2026-01-02T08:07:20.000Z","meta":{"actor":{"kind":"operator","id":"operator","role":"system"},"causationId":"6f4a3c1e-52b7-4d0e-9a63-1f0c8b7d2e95","commandId":"6f4a3c1e-52b7-4d0e-9a63-1f0c8b7d2e95","correlationId":"6f4a3c1e-52b7-4d0e-9a63-1f0c8b7d2e95","requestHash":"232bc439ed9f8bdd7de9cbef9a4b0188e8c39c9010e90b17d7676dacbb30c380","chain":"6b28008374025ee80a78e290225778f274294299c4fdf9d5de668aac8a29ec12"}}`,
];

describe('the events of the security log are frozen', () => {
  test('every type has an example in the version that is written today', () => {
    expect(exampleTypes(stream)).toEqual(
      expect.arrayContaining(Object.entries(securityDecider.codecs.versions)),
    );
  });

  test('no example is of a type that the program has forgotten', () => {
    const known = Object.keys(securityDecider.codecs.versions);
    expect(exampleTypes(stream).filter(([type]) => !known.includes(type))).toEqual([]);
  });

  test('each example is read, and one of today’s version would be stored as the very same text', () => {
    for (const { stored, again } of storedAgain(securityDecider.codecs, stream)) expect(again).toBe(stored);
  });

  test('the chain of the stored stream holds', () => {
    expect(holdsChain(stream)).toBe(true);
  });

  test('the stored stream gives the state that it always gave', () => {
    expect(foldFrozen<SecurityEvent, Security>(securityDecider, stream)).toEqual({ noted: 7 });
  });
});
