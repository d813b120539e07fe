import { describe, expect, test } from '@jest/globals';
import {
  accountDecider,
  availableOf,
  formatMoney,
  noAmounts,
  parseMoney,
  postingsOf,
  sumOf,
  type Account,
  type AccountEvent,
} from '#ledger';
import { decodeFrozen, foldFrozen, testExamples } from '#ledger/contract';

/**
 * A stream as it stands in logs that people have, at least one event of each type and version. Never change a line: logs
 * can't be changed either. A new type, or a new version of one, gets a line of its own and an expectation below.
 */
const stream = [
  String.raw`{"type":"AccountOpened","data":{"userId":"u1","accountNumber":"3012345678","role":"user","profile":"c2VhbGVk"},"id":"fba101bc-d51c-56cd-aad2-20bf9a1b123d","version":1,"stream":"account-u1","revision":0,"at":"2026-01-01T12:00:01.500Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"13d867c1-5768-5d97-a195-4547c8ebf9b1","requestHash":"bc04d68f3cef1deda737b0dca60b21cd4b1e567c9362756feb5b141ad6205c60","correlationId":"13d867c1-5768-5d97-a195-4547c8ebf9b1","causationId":"13d867c1-5768-5d97-a195-4547c8ebf9b1","chain":"a3afff0f28e134f006990ffeb4a3f362483e3aa83f0791d5ea73174d133bab15"}}`,
  String.raw`{"type":"FundingRequested","data":{"requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA1","amount":"300.00","currency":"BTC","evidence":{"fileId":"f1","mediaType":"image/png","bytes":2048,"sha256":"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"}},"id":"d84b0eda-50c0-5496-9996-cca0ce642e27","version":1,"stream":"account-u1","revision":1,"at":"2026-01-01T12:00:03.000Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"7641cc53-75a9-5e57-a188-e97c21c2efd6","requestHash":"5a0912565b2fa1a512031d3ea9e770c87b07bbfc7ff9cb0b91acabe7883e7db0","correlationId":"7641cc53-75a9-5e57-a188-e97c21c2efd6","causationId":"7641cc53-75a9-5e57-a188-e97c21c2efd6","session":"s1","chain":"c396f121dd7d7baee3f1525d950d2845a60683f75a22b20d504d1eeb23bdddbe"}}`,
  String.raw`{"type":"FundingConfirmed","data":{"requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA1","currency":"BTC","amount":"300.00","price":"60000.12345678","converted":"0.00499998","postings":[{"account":"operator/deposits","currency":"USD","amount":"-300.00"},{"account":"customer/u1/available","currency":"USD","amount":"300.00"},{"account":"operator/deposits","currency":"BTC","amount":"-0.00499998"},{"account":"customer/u1/available","currency":"BTC","amount":"0.00499998"}]},"id":"5d01613d-6005-5e44-b8ae-73df4a9c3fd9","version":1,"stream":"account-u1","revision":2,"at":"2026-01-01T12:00:04.500Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"f5384d4a-19a5-563b-b051-daae004a51ff","requestHash":"184a4938e3812821913b9f6dec4b613ffddfee9924c6c77a079b7613f276f575","correlationId":"f5384d4a-19a5-563b-b051-daae004a51ff","causationId":"f5384d4a-19a5-563b-b051-daae004a51ff","session":"s2","chain":"3e2caf65e363ddf9dd2e6a3407555cb41f8b60557026b925d7c3533a6f211111"}}`,
  String.raw`{"type":"FundingRequested","data":{"requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA2","amount":"50.01","currency":"PI","evidence":{"fileId":"f1","mediaType":"image/png","bytes":2048,"sha256":"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"}},"id":"b9c1eca8-3d18-5ee9-bf14-183c10846516","version":1,"stream":"account-u1","revision":3,"at":"2026-01-01T12:00:06.000Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"d64b98bc-b504-50d4-bc27-c754337a99b3","requestHash":"994b20fa26c24d852a83d05fdeeb5ce8c4b2699dc83047148de51486b91d3cb0","correlationId":"d64b98bc-b504-50d4-bc27-c754337a99b3","causationId":"d64b98bc-b504-50d4-bc27-c754337a99b3","session":"s1","chain":"718cec56fea98083706c9a78c0c61cc6d54d5bea3047f1a6c614b4410919d21f"}}`,
  String.raw`{"type":"FundingRejected","data":{"requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA2"},"id":"eb6d2a5b-1382-5bf5-bab6-f4012bd16f28","version":1,"stream":"account-u1","revision":4,"at":"2026-01-01T12:00:07.500Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"b7ab0dfe-6fc4-51bd-bca0-46e77ae41a83","requestHash":"ba5d09ef6be0c8a442059b9283fac60116b473dc897d075cfe041b6615b35387","correlationId":"b7ab0dfe-6fc4-51bd-bca0-46e77ae41a83","causationId":"b7ab0dfe-6fc4-51bd-bca0-46e77ae41a83","reason":"The receipt is of another payment.","session":"s2","chain":"cfe6ea24cb98b7a080e77e83f667b8f300b9b4d9bf09ed31346dc51301145ba0"}}`,
  String.raw`{"type":"WalletCredited","data":{"currency":"USDT","amount":"10.50","price":"1.00000000","converted":"10.500000","postings":[{"account":"operator/adjustments","currency":"USD","amount":"-10.50"},{"account":"customer/u1/available","currency":"USD","amount":"10.50"},{"account":"operator/adjustments","currency":"USDT","amount":"-10.500000"},{"account":"customer/u1/available","currency":"USDT","amount":"10.500000"}]},"id":"378352c3-0ea1-5c19-a760-be04d057dda9","version":1,"stream":"account-u1","revision":5,"at":"2026-01-01T12:00:09.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"f5c176e0-1203-5c9c-89ac-b59070355245","requestHash":"5938bba46ac8aeeacfcb7fd94768cc6663bacfccff7abe231b576fbb97966948","correlationId":"f5c176e0-1203-5c9c-89ac-b59070355245","causationId":"f5c176e0-1203-5c9c-89ac-b59070355245","reason":"Correction","session":"s2","chain":"ef1980751ec4ff546d9b147652af7963afbd9153f6c6548eabf5ef91a6180d17"}}`,
  String.raw`{"type":"WalletDebited","data":{"currency":"BTC","amount":"100.00","price":"60000.12345678","converted":"0.00166666","postings":[{"account":"customer/u1/available","currency":"USD","amount":"-100.00"},{"account":"operator/adjustments","currency":"USD","amount":"100.00"},{"account":"customer/u1/available","currency":"BTC","amount":"-0.00166666"},{"account":"operator/adjustments","currency":"BTC","amount":"0.00166666"}]},"id":"f2b88bfe-288f-5483-b408-93a3f6283def","version":1,"stream":"account-u1","revision":6,"at":"2026-01-01T12:00:09.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"f5c176e0-1203-5c9c-89ac-b59070355245","requestHash":"5938bba46ac8aeeacfcb7fd94768cc6663bacfccff7abe231b576fbb97966948","correlationId":"f5c176e0-1203-5c9c-89ac-b59070355245","causationId":"f5c176e0-1203-5c9c-89ac-b59070355245","reason":"Correction","session":"s2","chain":"84a0013f82c2e9b6145593633fe33cc2222f0573d0f30f5dda8cb2d71b6468c5"}}`,
  String.raw`{"type":"ProfileChanged","data":{"profile":"c2VhbGVkMg"},"id":"ab16ab8d-d920-5757-b383-1dad83a761b5","version":1,"stream":"account-u1","revision":7,"at":"2026-01-01T12:00:21.500Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"176f8adc-796c-5e7d-96bd-22daf0b00e4d","requestHash":"ad1b9de910513527b407147d7a05569066c1a50cceaba3e118df6b13f49e749c","correlationId":"176f8adc-796c-5e7d-96bd-22daf0b00e4d","causationId":"176f8adc-796c-5e7d-96bd-22daf0b00e4d","session":"s1","chain":"fe5daf7c12dec3cf9ac5d4760aae98bc68ed86773388009d3851dab2fbb9e3ca"}}`,
  String.raw`{"type":"ProfileImageChanged","data":{"image":{"fileId":"f2","mediaType":"image/jpeg","bytes":4096,"sha256":"0282d9b79f42c74c1550b20ff2dd16aafc3fe5d8ae9a00b2f66996d0ae882775"}},"id":"019a2839-ea43-52d6-acc3-9ad48ac3df17","version":1,"stream":"account-u1","revision":8,"at":"2026-01-01T12:00:23.000Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"a286bbbb-e900-5e3f-bab0-85536d3c66cc","requestHash":"ff14e14c208d414590558c2e333a73da13828df7df2988dacc7f817e6aa5f995","correlationId":"a286bbbb-e900-5e3f-bab0-85536d3c66cc","causationId":"a286bbbb-e900-5e3f-bab0-85536d3c66cc","session":"s1","chain":"49ffdce4373fcf77100ae3261fe31efed8248fd25a86912d8aab000d271f94b3"}}`,
  String.raw`{"type":"WalletAddressSaved","data":{"address":"YWRkcmVzcw"},"id":"b896ae86-621f-5a96-be5d-91b81745812b","version":1,"stream":"account-u1","revision":9,"at":"2026-01-01T12:00:24.500Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"b5b3eea8-0138-5057-9723-0cf95a7201c5","requestHash":"6602268483bd7c7f95dcd1d1a3467612ff1724c621560c5f01d1785917886599","correlationId":"b5b3eea8-0138-5057-9723-0cf95a7201c5","causationId":"b5b3eea8-0138-5057-9723-0cf95a7201c5","session":"s1","chain":"cf4e2f509f39bdadc9044806a80b3f37a7338759bdda4de188de6d14b86292e0"}}`,
  String.raw`{"type":"FundingRequested","data":{"requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA3","amount":"100.00","currency":"PI","evidence":{"fileId":"f1","mediaType":"image/png","bytes":2048,"sha256":"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"}},"id":"0b5310cb-b235-5ad8-bfd0-15a0f2ce674a","version":1,"stream":"account-u1","revision":10,"at":"2026-01-01T12:00:26.000Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"9d04ed62-ca30-521a-9eef-90612bd6efdf","requestHash":"6e9f43813f86baf1879f96ba064cd3b37ff1c9db77c558f05f56a597e46bc62b","correlationId":"9d04ed62-ca30-521a-9eef-90612bd6efdf","causationId":"9d04ed62-ca30-521a-9eef-90612bd6efdf","session":"s1","chain":"c72ae45771be80781340f7a81048292a838e682656ca234f17c86ac61ebe5d76"}}`,
  String.raw`{"type":"FundingConfirmed","data":{"requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA3","currency":"PI","amount":"100.00","price":"0.50000000","converted":"200.0000000","after":{"wallet":"310.50","balance":"200.0000000"},"postings":[{"account":"operator/deposits","currency":"USD","amount":"-100.00"},{"account":"customer/u1/available","currency":"USD","amount":"100.00"},{"account":"operator/deposits","currency":"PI","amount":"-200.0000000"},{"account":"customer/u1/available","currency":"PI","amount":"200.0000000"}]},"id":"3050a171-0199-5f34-861b-11f1e817ba8a","version":2,"stream":"account-u1","revision":11,"at":"2026-01-01T12:00:27.500Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"e83bda8c-f49e-582c-a9ac-eb0fe86d33ca","requestHash":"dd56ba6cbd56451c7a7346def88b8fa8b9de2e4c4bcf5e5f6b07dfcfd03ee501","correlationId":"e83bda8c-f49e-582c-a9ac-eb0fe86d33ca","causationId":"e83bda8c-f49e-582c-a9ac-eb0fe86d33ca","session":"s2","chain":"98880d2d26c85002fb6239b51c39d63e4ca1966cc44e529f93729485b43535de"}}`,
  String.raw`{"type":"WalletCredited","data":{"currency":"USDT","amount":"40.00","price":"1.00000000","converted":"40.000000","after":{"wallet":"350.50","balance":"50.500000"},"postings":[{"account":"operator/adjustments","currency":"USD","amount":"-40.00"},{"account":"customer/u1/available","currency":"USD","amount":"40.00"},{"account":"operator/adjustments","currency":"USDT","amount":"-40.000000"},{"account":"customer/u1/available","currency":"USDT","amount":"40.000000"}]},"id":"ea1c70c8-bc89-51e5-8fdf-bc6710c1f4f3","version":2,"stream":"account-u1","revision":12,"at":"2026-01-01T12:00:29.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"fcba7436-efbd-571a-8441-65d1f9985d78","requestHash":"5b958a204ef3002c71e1e2c7c1ef0b75b24372c9482aceb914e152d9d70a0408","correlationId":"fcba7436-efbd-571a-8441-65d1f9985d78","causationId":"fcba7436-efbd-571a-8441-65d1f9985d78","reason":"Correction","session":"s2","chain":"eb6d93a86d7a3aec6b2644f726efe356463d6eddaeb5ae82b3eeaa2586cd3e7e"}}`,
  String.raw`{"type":"WalletDebited","data":{"currency":"PI","amount":"1.00","price":"0.50000000","converted":"2.0000000","after":{"wallet":"349.50","balance":"198.0000000"},"postings":[{"account":"customer/u1/available","currency":"USD","amount":"-1.00"},{"account":"operator/adjustments","currency":"USD","amount":"1.00"},{"account":"customer/u1/available","currency":"PI","amount":"-2.0000000"},{"account":"operator/adjustments","currency":"PI","amount":"2.0000000"}]},"id":"73ed5927-eb4e-5359-b5ee-fc1ebaf48f56","version":2,"stream":"account-u1","revision":13,"at":"2026-01-01T12:00:29.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"fcba7436-efbd-571a-8441-65d1f9985d78","requestHash":"5b958a204ef3002c71e1e2c7c1ef0b75b24372c9482aceb914e152d9d70a0408","correlationId":"fcba7436-efbd-571a-8441-65d1f9985d78","causationId":"fcba7436-efbd-571a-8441-65d1f9985d78","reason":"Correction","session":"s2","chain":"493132d46a6fb704568696fb316f052ed385b5e435822542b07dad5cf875c0ba"}}`,
  String.raw`{"type":"WithdrawalRequested","data":{"requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA4","currency":"USDT","amount":"20.00","price":"1.00000000","converted":"20.000000","postings":[{"account":"customer/u1/available","currency":"USD","amount":"-20.00"},{"account":"customer/u1/held","currency":"USD","amount":"20.00"},{"account":"customer/u1/available","currency":"USDT","amount":"-20.000000"},{"account":"customer/u1/held","currency":"USDT","amount":"20.000000"}],"rate":"1550.50000000","convertedAmount":"31010.00","address":"YWRkcmVzcw"},"id":"8f2b4d55-1fa4-5cb5-87f7-e1279572a466","version":1,"stream":"account-u1","revision":14,"at":"2026-01-01T12:00:30.500Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"468a76da-6496-599a-86f2-2de336c4fe72","requestHash":"1b95ed56bb99a35252c731bb029c79c2dd9e738368386f41307ed877480480b9","correlationId":"468a76da-6496-599a-86f2-2de336c4fe72","causationId":"468a76da-6496-599a-86f2-2de336c4fe72","session":"s1","chain":"e7e3ce0f2f82180cce2c1d87ba5c9377e5c25c791d5425fdda1ee474090df123"}}`,
  String.raw`{"type":"WithdrawalConfirmed","data":{"requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA4","currency":"USDT","amount":"20.00","price":"1.00000000","converted":"20.000000","after":{"wallet":"329.50","balance":"30.500000"},"postings":[{"account":"customer/u1/held","currency":"USD","amount":"-20.00"},{"account":"operator/payouts","currency":"USD","amount":"20.00"},{"account":"customer/u1/held","currency":"USDT","amount":"-20.000000"},{"account":"operator/payouts","currency":"USDT","amount":"20.000000"}]},"id":"8792f096-8d1a-50eb-95c5-3b5516e0378a","version":1,"stream":"account-u1","revision":15,"at":"2026-01-01T12:00:32.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"229069fc-a803-5a24-a751-4334c23ae1d3","requestHash":"b61bae2c1c5d192e6b0d6bb456688fac0b1ca66b950d1dcac7d32db316ad39eb","correlationId":"229069fc-a803-5a24-a751-4334c23ae1d3","causationId":"229069fc-a803-5a24-a751-4334c23ae1d3","reason":"Paid.","session":"s2","chain":"93d185f2f81db8b03850ec131bfbc1ce547ca0b6d3424740fb7f9d729a7faba3"}}`,
  String.raw`{"type":"WithdrawalRequested","data":{"requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA5","currency":"BTC","amount":"1.50","price":"60000.12345678","converted":"0.00002499","postings":[{"account":"customer/u1/available","currency":"USD","amount":"-1.50"},{"account":"customer/u1/held","currency":"USD","amount":"1.50"},{"account":"customer/u1/available","currency":"BTC","amount":"-0.00002499"},{"account":"customer/u1/held","currency":"BTC","amount":"0.00002499"}],"rate":null,"convertedAmount":"0.00","address":"YWRkcmVzcw"},"id":"afcf735a-3862-5403-8bb1-6ad4d528713d","version":1,"stream":"account-u1","revision":16,"at":"2026-01-01T12:00:33.500Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"a353ed51-5eae-5584-92eb-992495d7e32d","requestHash":"01de42bc98706a85710c5316db05558ebdc0191c0c0fa1680b41fc5b0f7720d4","correlationId":"a353ed51-5eae-5584-92eb-992495d7e32d","causationId":"a353ed51-5eae-5584-92eb-992495d7e32d","session":"s1","chain":"c5e1801767fb0f7081de86659ab87e21c49468dc5757b2b0de59f04022cac17d"}}`,
  String.raw`{"type":"WithdrawalRejected","data":{"requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA5","currency":"BTC","amount":"1.50","price":"60000.12345678","converted":"0.00002499","postings":[{"account":"customer/u1/held","currency":"USD","amount":"-1.50"},{"account":"customer/u1/available","currency":"USD","amount":"1.50"},{"account":"customer/u1/held","currency":"BTC","amount":"-0.00002499"},{"account":"customer/u1/available","currency":"BTC","amount":"0.00002499"}]},"id":"506ed778-a1a0-5cd5-bc41-e1bd235691d0","version":1,"stream":"account-u1","revision":17,"at":"2026-01-01T12:00:35.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"01757012-1bf2-5c33-943d-71ea5e6e4936","requestHash":"ab9b802a5d69f8495b323f56075c6263e4cac8e24e41a31ea35a813e7167c847","correlationId":"01757012-1bf2-5c33-943d-71ea5e6e4936","causationId":"01757012-1bf2-5c33-943d-71ea5e6e4936","session":"s2","chain":"2fb536e35c94b6e1890df5d6421cc5909656c01138d98b640c370a2d3d6a63a1"}}`,
  String.raw`{"type":"TransferRequested","data":{"requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA6","transferType":"local","receiver":{"userId":"u2","accountNumber":"3087654321"},"currency":"PI","amount":"30.00","price":"0.50000000","converted":"60.0000000","postings":[{"account":"customer/u1/available","currency":"USD","amount":"-30.00"},{"account":"customer/u1/held","currency":"USD","amount":"30.00"},{"account":"customer/u1/available","currency":"PI","amount":"-60.0000000"},{"account":"customer/u1/held","currency":"PI","amount":"60.0000000"}],"details":"ZGV0YWlscw"},"id":"94a0f34d-ed8c-528f-80fe-80a122c9c328","version":1,"stream":"account-u1","revision":18,"at":"2026-01-01T12:00:36.500Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"d55ab1c3-72fb-5e25-92a9-81480b1426ac","requestHash":"a7342aa2a39ef8ff7acb0ca11e8c3bf689eae2ec2aa8685a8754d49ce7d2eef6","correlationId":"d55ab1c3-72fb-5e25-92a9-81480b1426ac","causationId":"d55ab1c3-72fb-5e25-92a9-81480b1426ac","session":"s1","chain":"4e7e5ee45ddbc62da815cfe77d6b204bd8900dc12d017b243d521100ca138a32"}}`,
  String.raw`{"type":"TransferConfirmed","data":{"requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA6","receiver":{"userId":"u2","accountNumber":"3087654321"},"currency":"PI","amount":"30.00","price":"0.50000000","converted":"60.0000000","after":{"wallet":"299.50","balance":"138.0000000"},"postings":[{"account":"customer/u1/held","currency":"USD","amount":"-30.00"},{"account":"transit","currency":"USD","amount":"30.00"},{"account":"customer/u1/held","currency":"PI","amount":"-60.0000000"},{"account":"transit","currency":"PI","amount":"60.0000000"}]},"id":"b0feef9f-15dc-56d4-b3d0-01268faeadc7","version":1,"stream":"account-u1","revision":19,"at":"2026-01-01T12:00:38.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"38cf0faa-32bc-5cf6-b4a7-112853e4a31b","requestHash":"2bac0944fd75814ac95de0d473d083955d9515348d72881f2f5ab72700325d9d","correlationId":"38cf0faa-32bc-5cf6-b4a7-112853e4a31b","causationId":"38cf0faa-32bc-5cf6-b4a7-112853e4a31b","session":"s2","chain":"81b1e69fd54f33cbae56062296b7228d1f3bd97f89657e083d487010f90de58f"}}`,
  String.raw`{"type":"TransferSettled","data":{"requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA6"},"id":"c80458fa-0e03-52eb-b84b-79b2db8e400d","version":1,"stream":"account-u1","revision":20,"at":"2026-01-01T12:00:39.500Z","meta":{"actor":{"kind":"system","id":"transfers","role":"system"},"commandId":"fe68a70b-74ea-5aca-a61e-a451073cbbae","requestHash":"829099d79bf57d54ad72bf0c9f5f3e1bf4c466a4da25839adab129eea5491298","correlationId":"fe68a70b-74ea-5aca-a61e-a451073cbbae","causationId":"fe68a70b-74ea-5aca-a61e-a451073cbbae","chain":"825e78a7f4678da0e1c07d1c79479f1a15f7b3c6cf42bfdefd3bc9cd7ed0b21f"}}`,
  String.raw`{"type":"TransferRequested","data":{"requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA7","transferType":"local","receiver":{"userId":"u2","accountNumber":"3087654321"},"currency":"PI","amount":"5.00","price":"0.50000000","converted":"10.0000000","postings":[{"account":"customer/u1/available","currency":"USD","amount":"-5.00"},{"account":"customer/u1/held","currency":"USD","amount":"5.00"},{"account":"customer/u1/available","currency":"PI","amount":"-10.0000000"},{"account":"customer/u1/held","currency":"PI","amount":"10.0000000"}],"details":"ZGV0YWlscw"},"id":"93a27d2a-a858-54be-aee4-79b10ecf4699","version":1,"stream":"account-u1","revision":21,"at":"2026-01-01T12:00:41.000Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"90527c16-a826-52c1-bc2a-824e51be86d8","requestHash":"eb24809d6e256ac90f4f4102cae195c2c695277c807a4c2fecba367735539ead","correlationId":"90527c16-a826-52c1-bc2a-824e51be86d8","causationId":"90527c16-a826-52c1-bc2a-824e51be86d8","session":"s1","chain":"f84e2b184ec16a5ffd8d42799403b92fb3e13cf8b7e80ca86817e6d6ebcd2ae0"}}`,
  String.raw`{"type":"TransferConfirmed","data":{"requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA7","receiver":{"userId":"u2","accountNumber":"3087654321"},"currency":"PI","amount":"5.00","price":"0.50000000","converted":"10.0000000","after":{"wallet":"294.50","balance":"128.0000000"},"postings":[{"account":"customer/u1/held","currency":"USD","amount":"-5.00"},{"account":"transit","currency":"USD","amount":"5.00"},{"account":"customer/u1/held","currency":"PI","amount":"-10.0000000"},{"account":"transit","currency":"PI","amount":"10.0000000"}]},"id":"c4e9e61a-6117-502e-8253-6565b6b73655","version":1,"stream":"account-u1","revision":22,"at":"2026-01-01T12:00:42.500Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"899f4480-cb6f-56e1-a2ad-33298bcd7bb2","requestHash":"dba226337409b3b3dbf58596d59beff200797246ea06a946bae5c9b4623458eb","correlationId":"899f4480-cb6f-56e1-a2ad-33298bcd7bb2","causationId":"899f4480-cb6f-56e1-a2ad-33298bcd7bb2","session":"s2","chain":"9632685f868d14f940a6d8416f56b5eb35d9c542c9b6e59f8816c798d8fc0446"}}`,
  String.raw`{"type":"TransferReturned","data":{"requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA7","currency":"PI","amount":"5.00","price":"0.50000000","converted":"10.0000000","after":{"wallet":"299.50","balance":"138.0000000"},"postings":[{"account":"transit","currency":"USD","amount":"-5.00"},{"account":"customer/u1/available","currency":"USD","amount":"5.00"},{"account":"transit","currency":"PI","amount":"-10.0000000"},{"account":"customer/u1/available","currency":"PI","amount":"10.0000000"}]},"id":"05f0c07b-5e46-5006-a25e-842792a12d1c","version":1,"stream":"account-u1","revision":23,"at":"2026-01-01T12:00:44.000Z","meta":{"actor":{"kind":"system","id":"transfers","role":"system"},"commandId":"70723af6-d871-5e2d-b63b-a30fde6722b6","requestHash":"4c1551bfe95d922e9a49ac1b31fc4a72d85433be484afc99926377e64a9ffb3a","correlationId":"70723af6-d871-5e2d-b63b-a30fde6722b6","causationId":"70723af6-d871-5e2d-b63b-a30fde6722b6","chain":"f6b9b55451b0010ec48f99c4f1ac27b58152e4a8e100476e0d00ea9605d854ac"}}`,
  String.raw`{"type":"TransferRequested","data":{"requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA8","transferType":"international","receiver":null,"currency":"PI","amount":"2.00","price":"0.50000000","converted":"4.0000000","postings":[{"account":"customer/u1/available","currency":"USD","amount":"-2.00"},{"account":"customer/u1/held","currency":"USD","amount":"2.00"},{"account":"customer/u1/available","currency":"PI","amount":"-4.0000000"},{"account":"customer/u1/held","currency":"PI","amount":"4.0000000"}],"details":"ZGV0YWlscw"},"id":"3b5d686f-a2d5-58ea-b51e-2685292376a7","version":1,"stream":"account-u1","revision":24,"at":"2026-01-01T12:00:45.500Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"9ae70ef9-74cb-55ee-8519-7f79b9b1af0e","requestHash":"bcc9cc815b477d8644527af1fb96e1f8d8f10c5c3d476bf7725ce75c97b8bf99","correlationId":"9ae70ef9-74cb-55ee-8519-7f79b9b1af0e","causationId":"9ae70ef9-74cb-55ee-8519-7f79b9b1af0e","session":"s1","chain":"d3d0146967587c25875c3da42cf4fda5c4173aadd04ce36a2b1f94d84983ca21"}}`,
  String.raw`{"type":"TransferConfirmed","data":{"requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA8","receiver":null,"currency":"PI","amount":"2.00","price":"0.50000000","converted":"4.0000000","after":{"wallet":"297.50","balance":"134.0000000"},"postings":[{"account":"customer/u1/held","currency":"USD","amount":"-2.00"},{"account":"operator/payouts","currency":"USD","amount":"2.00"},{"account":"customer/u1/held","currency":"PI","amount":"-4.0000000"},{"account":"operator/payouts","currency":"PI","amount":"4.0000000"}]},"id":"f53c76bb-a728-5b76-a5a8-504453929bd7","version":1,"stream":"account-u1","revision":25,"at":"2026-01-01T12:00:47.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"9a9b28e2-91a4-5738-85d9-f62e160464b4","requestHash":"98646213e646399ea4e15d55ede7b50643b4d3df8667101217fa3fddfb22c2e3","correlationId":"9a9b28e2-91a4-5738-85d9-f62e160464b4","causationId":"9a9b28e2-91a4-5738-85d9-f62e160464b4","session":"s2","chain":"36dddf204b5428fb0ba7f6f793433f6ad6383fbcc482e8618377cf0574a9be34"}}`,
  String.raw`{"type":"TransferRequested","data":{"requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA9","transferType":"local","receiver":{"userId":"u2","accountNumber":"3087654321"},"currency":"PI","amount":"3.00","price":"0.50000000","converted":"6.0000000","postings":[{"account":"customer/u1/available","currency":"USD","amount":"-3.00"},{"account":"customer/u1/held","currency":"USD","amount":"3.00"},{"account":"customer/u1/available","currency":"PI","amount":"-6.0000000"},{"account":"customer/u1/held","currency":"PI","amount":"6.0000000"}],"details":"ZGV0YWlscw"},"id":"0729a142-e629-5fc2-8eed-3fea86fa844b","version":1,"stream":"account-u1","revision":26,"at":"2026-01-01T12:00:48.500Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"15d75807-5338-51ef-a725-54c82e947074","requestHash":"ef19b5dd6534e51a81ae83f0090a0046be5a636483a5f405f83290c6c51cbaaf","correlationId":"15d75807-5338-51ef-a725-54c82e947074","causationId":"15d75807-5338-51ef-a725-54c82e947074","session":"s1","chain":"a7d70ac12701411d78fc8596e315654aa1b34c07dcb773f81572a08dee93130b"}}`,
  String.raw`{"type":"TransferRejected","data":{"requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA9","currency":"PI","amount":"3.00","price":"0.50000000","converted":"6.0000000","postings":[{"account":"customer/u1/held","currency":"USD","amount":"-3.00"},{"account":"customer/u1/available","currency":"USD","amount":"3.00"},{"account":"customer/u1/held","currency":"PI","amount":"-6.0000000"},{"account":"customer/u1/available","currency":"PI","amount":"6.0000000"}]},"id":"fbc186de-d34f-5c3d-9f09-d9cf7c29f512","version":1,"stream":"account-u1","revision":27,"at":"2026-01-01T12:00:50.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"081145a1-455d-5a84-ac89-d70525f62ffd","requestHash":"07fc9dbd39cc3b09602e29eb5ca5dca375b49cb3672497c55e5dc2fbf34d4049","correlationId":"081145a1-455d-5a84-ac89-d70525f62ffd","causationId":"081145a1-455d-5a84-ac89-d70525f62ffd","session":"s2","chain":"bcd6973aa7331e8f8428267f95f0248acd4bdc5a978349d96df1050cd3636582"}}`,
  String.raw`{"type":"TransferReceived","data":{"transferId":"BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB1","from":"u3","currency":"PI","amount":"12.00","price":"0.50000000","converted":"24.0000000","after":{"wallet":"309.50","balance":"158.0000000"},"postings":[{"account":"transit","currency":"USD","amount":"-12.00"},{"account":"customer/u1/available","currency":"USD","amount":"12.00"},{"account":"transit","currency":"PI","amount":"-24.0000000"},{"account":"customer/u1/available","currency":"PI","amount":"24.0000000"}]},"id":"70c6cc2f-eba9-5979-8820-41ed6e0b67e9","version":1,"stream":"account-u1","revision":28,"at":"2026-01-01T12:00:51.500Z","meta":{"actor":{"kind":"system","id":"transfers","role":"system"},"commandId":"1604e022-db86-5b33-b707-c7fd18d4734f","requestHash":"3b98e02b4f948efee1424ab325a59b1e520682f6c2715eb791c950aeefc50fe9","correlationId":"1604e022-db86-5b33-b707-c7fd18d4734f","causationId":"1604e022-db86-5b33-b707-c7fd18d4734f","chain":"66165c953c858157d1769d00606bd5ccff2744a7b8e1ecae8e94dbacd19a5d61"}}`,
  String.raw`{"type":"AccountSuspended","data":{},"id":"270992a6-51d1-5315-88eb-8f94ff0ec1bd","version":1,"stream":"account-u1","revision":29,"at":"2026-01-01T12:00:53.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"df927a09-8284-534a-969e-14882e5ca805","requestHash":"7071bcb163989467ef9356e0c0c276a0fe96c825b8fecf4604777d4da8159102","correlationId":"df927a09-8284-534a-969e-14882e5ca805","causationId":"df927a09-8284-534a-969e-14882e5ca805","session":"s2","chain":"ff3d01f16b932ca08b88bb9756919722aaad0a4f0abf49d4f22b3f7bf8ab0100"}}`,
  String.raw`{"type":"TransferRefused","data":{"transferId":"BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB2","from":"u3","currency":"PI","amount":"12.00","price":"0.50000000","converted":"24.0000000","why":"suspended"},"id":"8ce007d5-9b51-5519-9186-824633ff6085","version":1,"stream":"account-u1","revision":30,"at":"2026-01-01T12:00:54.500Z","meta":{"actor":{"kind":"system","id":"transfers","role":"system"},"commandId":"bdd36396-a85f-55a8-ae57-b3d22c5a8788","requestHash":"8b2eefd818181516972895dcd5559743c0683722bc93d385663e9eded9fb3c0d","correlationId":"bdd36396-a85f-55a8-ae57-b3d22c5a8788","causationId":"bdd36396-a85f-55a8-ae57-b3d22c5a8788","chain":"10797beabc92691eeba1cb7f879ae4eb826e911129dd8708b9e9e12f5bfa2657"}}`,
  String.raw`{"type":"AccountActivated","data":{},"id":"9a05e69d-cd04-5166-ab96-5f1450770f36","version":1,"stream":"account-u1","revision":31,"at":"2026-01-01T12:00:56.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"8c9aa448-8c47-5a0e-8295-00ac2b47fc87","requestHash":"23005680a9420cb9b46a74951389e0773f060df972a51c3011a054998d484ef8","correlationId":"8c9aa448-8c47-5a0e-8295-00ac2b47fc87","causationId":"8c9aa448-8c47-5a0e-8295-00ac2b47fc87","session":"s2","chain":"56982eed51af1c234b6f9cab18b634b1a6e34d0dc5a6ca3003d950a755ff2c3b"}}`,
  String.raw`{"type":"BonusCycleStarted","data":{"startDate":"2026-01-01T12:00:57.500Z","endDate":"2026-01-08T12:00:57.500Z","policy":{"rate":"0.10","windowDays":7,"everyHours":7,"capDays":7,"currency":"USDT"}},"id":"80f1b858-04a6-59ad-8ea8-7c432ed80bb9","version":1,"stream":"account-u1","revision":32,"at":"2026-01-01T12:00:57.500Z","meta":{"actor":{"kind":"system","id":"bonus","role":"system"},"commandId":"8a9d7ab2-fe19-51bd-a7ff-71ceef7ec717","requestHash":"dd009ba18f067bf33d2964a964a9447da582ceddf97b4665b58fb2a6e144d0e4","correlationId":"8a9d7ab2-fe19-51bd-a7ff-71ceef7ec717","causationId":"8a9d7ab2-fe19-51bd-a7ff-71ceef7ec717","chain":"0abd4805dd4262b95e9fc86cda9cbc4c15540f3a369abc6901997e8370d1a2a4"}}`,
  String.raw`{"type":"BonusAccrued","data":{"days":2,"bonusDays":2,"updatedTime":"2026-01-03T13:00:00.000Z","policy":{"rate":"0.10","windowDays":7,"everyHours":7,"capDays":7,"currency":"USDT"},"currency":"USDT","amount":"61.90","price":"1.00000000","converted":"61.900000","after":{"wallet":"371.40","balance":"92.400000"},"postings":[{"account":"operator/bonus","currency":"USD","amount":"-61.90"},{"account":"customer/u1/available","currency":"USD","amount":"61.90"},{"account":"operator/bonus","currency":"USDT","amount":"-61.900000"},{"account":"customer/u1/available","currency":"USDT","amount":"61.900000"}]},"id":"cb4eca6c-dfd6-5ab7-9e37-ba044c029e17","version":1,"stream":"account-u1","revision":33,"at":"2026-01-03T13:00:00.000Z","meta":{"actor":{"kind":"system","id":"bonus","role":"system"},"commandId":"5a559f72-0ece-5d87-8217-23e71ffebdd7","requestHash":"190450c18614e540314381bc7f0808a656c87355ab89ca10703105ee737d19b1","correlationId":"5a559f72-0ece-5d87-8217-23e71ffebdd7","causationId":"5a559f72-0ece-5d87-8217-23e71ffebdd7","chain":"e4ff72e87e98f36bd9ee0c765f19a39000018aedfc4ece1cd51c3805a126a8f1"}}`,
  String.raw`{"type":"BonusStopped","data":{"startDate":"2026-01-01T12:00:57.500Z","endDate":"2026-01-08T12:00:57.500Z","bonusDays":7,"policy":{"rate":"0.10","windowDays":7,"everyHours":7,"capDays":7,"currency":"USDT"}},"id":"a72da5dd-9ce3-5a7b-b9b7-8ee6e072ed0a","version":1,"stream":"account-u1","revision":34,"at":"2026-01-03T13:00:01.500Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"b345a6d1-57f5-55be-9c5e-10dcb548654f","requestHash":"9b884709b7962ebc67c8552c36c8d17b6f91f3ce0ae0640611af9119fa66a039","correlationId":"b345a6d1-57f5-55be-9c5e-10dcb548654f","causationId":"b345a6d1-57f5-55be-9c5e-10dcb548654f","session":"s2","chain":"9ac2a67d66edbc087863a7229d8fd0061b009dc17f39d7a17300fcbe67becc92"}}`,
  String.raw`{"type":"BonusCycleRestarted","data":{"startDate":"2026-01-03T13:00:03.000Z","endDate":"2026-01-10T13:00:03.000Z","policy":{"rate":"0.10","windowDays":7,"everyHours":7,"capDays":7,"currency":"USDT"}},"id":"426f1e42-e5bf-5cb6-a512-b82a37c1c95e","version":1,"stream":"account-u1","revision":35,"at":"2026-01-03T13:00:03.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"0adfbb92-5b4a-5225-a16c-dfce27e8cbd7","requestHash":"02230b27569bd1af960eabfb3470a307b191330f608f110d59ec225e7d2ec706","correlationId":"0adfbb92-5b4a-5225-a16c-dfce27e8cbd7","causationId":"0adfbb92-5b4a-5225-a16c-dfce27e8cbd7","session":"s2","chain":"7196763f02a34c43df0858f180bdabd379ad87cdcf0d75f0068360fcff4a22f5"}}`,
  String.raw`{"type":"WalletDebited","data":{"currency":"BTC","amount":"200.00","price":"70000.00000000","converted":"0.00285714","after":{"wallet":"171.40","balance":"0.00047618"},"postings":[{"account":"customer/u1/available","currency":"USD","amount":"-200.00"},{"account":"operator/adjustments","currency":"USD","amount":"200.00"},{"account":"customer/u1/available","currency":"BTC","amount":"-0.00285714"},{"account":"operator/adjustments","currency":"BTC","amount":"0.00285714"}]},"id":"a83eeeb7-52a7-57a6-9d26-7f0826c2f043","version":2,"stream":"account-u1","revision":36,"at":"2026-01-03T13:00:04.500Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"6cf78d42-62c5-57f7-b358-f84267a3efb9","requestHash":"a0ea860b08d1fd3416151c8332d5e9081377f3bae5267d921e125f69488340bb","correlationId":"6cf78d42-62c5-57f7-b358-f84267a3efb9","causationId":"6cf78d42-62c5-57f7-b358-f84267a3efb9","reason":"Paid out at closing.","session":"s2","chain":"d59a40febad7b5eacbcfae463b90bf91f50667f70f45434f58ce371146d39dc6"}}`,
  String.raw`{"type":"WalletDebited","data":{"currency":"PI","amount":"79.00","price":"0.50000000","converted":"158.0000000","after":{"wallet":"92.40","balance":"0.0000000"},"postings":[{"account":"customer/u1/available","currency":"USD","amount":"-79.00"},{"account":"operator/adjustments","currency":"USD","amount":"79.00"},{"account":"customer/u1/available","currency":"PI","amount":"-158.0000000"},{"account":"operator/adjustments","currency":"PI","amount":"158.0000000"}]},"id":"ef779bfb-0ec1-5d0d-8df3-444f0e07dc3c","version":2,"stream":"account-u1","revision":37,"at":"2026-01-03T13:00:06.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"4e23eee9-552c-5e48-b1f1-c9f3782baba5","requestHash":"fe36ea2a6d33301da9036deee167ffadfaf429ce0e9f8071810fd832ae7e8aca","correlationId":"4e23eee9-552c-5e48-b1f1-c9f3782baba5","causationId":"4e23eee9-552c-5e48-b1f1-c9f3782baba5","reason":"Paid out at closing.","session":"s2","chain":"f29ec1c6c6cc2455e7e38830bf36962f4f996bb83cc67fa91a7d19ff13e3ea35"}}`,
  String.raw`{"type":"WalletDebited","data":{"currency":"USDT","amount":"92.40","price":"1.00000000","converted":"92.400000","after":{"wallet":"0.00","balance":"0.000000"},"postings":[{"account":"customer/u1/available","currency":"USD","amount":"-92.40"},{"account":"operator/adjustments","currency":"USD","amount":"92.40"},{"account":"customer/u1/available","currency":"USDT","amount":"-92.400000"},{"account":"operator/adjustments","currency":"USDT","amount":"92.400000"}]},"id":"f58a9bdb-a133-56ea-8b25-84bf2f09b8a0","version":2,"stream":"account-u1","revision":38,"at":"2026-01-03T13:00:07.500Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"23ee66dd-36a9-56f5-aeb0-9a7a36ac5bc2","requestHash":"a74b5007b2c1240e26c710839058a2b4d705051e57aaad3b211f894999c3aca1","correlationId":"23ee66dd-36a9-56f5-aeb0-9a7a36ac5bc2","causationId":"23ee66dd-36a9-56f5-aeb0-9a7a36ac5bc2","reason":"Paid out at closing.","session":"s2","chain":"7faaf1125d807b931f28b95c8a5fb92c8a233796a1f290e9c1bd97bb9680a344"}}`,
  String.raw`{"type":"BalanceWrittenOff","data":{"currency":"BTC","amount":"0.00","price":"70000.00000000","converted":"0.00047618","after":{"wallet":"0.00","balance":"0.00000000"},"postings":[{"account":"customer/u1/available","currency":"BTC","amount":"-0.00047618"},{"account":"operator/adjustments","currency":"BTC","amount":"0.00047618"}]},"id":"829bfdcb-e3cc-5de6-a3a7-8e9bb0cbc04e","version":1,"stream":"account-u1","revision":39,"at":"2026-01-03T13:00:09.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"94554a0a-ec32-524f-8344-ff3560c46ba5","requestHash":"c28513f027a2df8cb79be1ab5dc287a32e0f84c6de5da1d2dcb592b1cf447b44","correlationId":"94554a0a-ec32-524f-8344-ff3560c46ba5","causationId":"94554a0a-ec32-524f-8344-ff3560c46ba5","session":"s2","chain":"b7e7ded9c43531312ca587676e0fab977e9dfd512e29f427c87a96b3c669c41f"}}`,
  String.raw`{"type":"PersonForgotten","data":{"role":"user"},"id":"dfddb982-c63a-548d-8733-51075909a705","version":1,"stream":"account-u1","revision":40,"at":"2026-01-03T13:00:09.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"commandId":"94554a0a-ec32-524f-8344-ff3560c46ba5","requestHash":"c28513f027a2df8cb79be1ab5dc287a32e0f84c6de5da1d2dcb592b1cf447b44","correlationId":"94554a0a-ec32-524f-8344-ff3560c46ba5","causationId":"94554a0a-ec32-524f-8344-ff3560c46ba5","session":"s2","chain":"1bb9046c14ee5f9d011eef058b0a617905d3a2074b11e48a871497c7a55cc913"}}`,
  String.raw`{"type":"MoneyOutDelayed","data":{"until":"2026-01-04T13:00:10.500Z","why":"password_reset"},"id":"252f8c03-eac3-500c-b15f-10b2cd3bbc49","version":1,"stream":"account-u1","revision":41,"at":"2026-01-03T13:00:10.500Z","meta":{"actor":{"kind":"system","id":"access","role":"system"},"commandId":"12ea4781-19f9-5c01-85a8-07418892ad9c","requestHash":"1628f29c2c621bceb90483137c9a8f3018d48f216f58e10c3699fe125439d8c0","correlationId":"12ea4781-19f9-5c01-85a8-07418892ad9c","causationId":"12ea4781-19f9-5c01-85a8-07418892ad9c","chain":"e47e3b77d858967c64930f6cbdc4fccd989d177b6c841bd86c78a31b01950784"}}`,
];

/** Another person's, from when fund requests began to say where deposits went. */
const later = [
  String.raw`{"type":"AccountOpened","data":{"userId":"u2","accountNumber":"3087654321","role":"user","profile":"c2VhbGVk"},"id":"118280d6-5982-4c45-b0f1-5a16922fae94","version":1,"stream":"account-u2","revision":0,"at":"2026-02-01T12:00:00.000Z","meta":{"actor":{"kind":"person","id":"u2","role":"user"},"commandId":"aed095c2-fa72-49e9-a46d-874d7f97829e","requestHash":"6058ae89f1bd113e70e74be9b0e039c0431d8567cdb0ebc37bec89e6057b35e3","correlationId":"aed095c2-fa72-49e9-a46d-874d7f97829e","causationId":"aed095c2-fa72-49e9-a46d-874d7f97829e","session":"s1","chain":"ec7f9110ad29c4be90ae284c25888a5a1953a05c31390a7db3e930c46edc08b3"}}`,
  String.raw`{"type":"FundingRequested","data":{"amount":"75.00","currency":"BTC","depositAddress":"bc1qexample","evidence":{"fileId":"f1","mediaType":"image/png","bytes":2048,"sha256":"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"},"requestId":"CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC1"},"id":"6209c6e0-5d89-4350-aae4-1ddb2f8c0138","version":2,"stream":"account-u2","revision":1,"at":"2026-02-01T12:00:01.000Z","meta":{"actor":{"kind":"person","id":"u2","role":"user"},"commandId":"3a084fd5-2b4e-4921-aca6-ace5231bb349","requestHash":"bd7aa0bc21fd8921ce29271557bc62d26e4b2b4c83dc6d546eb8bb3f18aff0fb","correlationId":"3a084fd5-2b4e-4921-aca6-ace5231bb349","causationId":"3a084fd5-2b4e-4921-aca6-ace5231bb349","session":"s1","settings":8,"chain":"48fffa070f0af6d8e212ba8158df3b02f38e8e0254a5f259b83f3d305790254e"}}`,
  String.raw`{"type":"FundingRequested","data":{"amount":"12.50","currency":"USDT","depositAddress":null,"evidence":{"fileId":"f2","mediaType":"image/png","bytes":2048,"sha256":"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"},"requestId":"CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC2"},"id":"0b5c44b7-5971-4ede-aa91-721db6b930de","version":2,"stream":"account-u2","revision":2,"at":"2026-02-01T12:00:02.000Z","meta":{"actor":{"kind":"person","id":"u2","role":"user"},"commandId":"45b8f1f6-2050-4894-8c5a-a7dd73488faf","requestHash":"980908a4dfeb1b734d15fcad49fbe8d42ad6a3c644c755e35338fd51cf094245","correlationId":"45b8f1f6-2050-4894-8c5a-a7dd73488faf","causationId":"45b8f1f6-2050-4894-8c5a-a7dd73488faf","session":"s1","settings":8,"chain":"938346959e439b8eb68b95d046ddda8f37bc42e11b89a3cafc292b6ac1f2e7f3"}}`,
  String.raw`{"type":"WalletAddressSaved","data":{"address":"YWRkcmVzczI","currency":"BTC","waits":null},"id":"a71b5711-cf5e-5902-852c-87b867e47cb7","version":2,"stream":"account-u2","revision":3,"at":"2026-02-01T12:00:03.500Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"906aa976-1a0b-5c9a-b20e-4d6b9c12e37c","requestHash":"09e6908e1b1926f899247cc5c5e46e37d4bb671cf36db69e1b6b5bfedfb13113","correlationId":"906aa976-1a0b-5c9a-b20e-4d6b9c12e37c","causationId":"906aa976-1a0b-5c9a-b20e-4d6b9c12e37c","chain":"5faa9da9f87785f773de44c5eb04871819078299818137ee2f16dfd0c145e97d"}}`,
  String.raw`{"type":"WalletAddressSaved","data":{"address":"YWRkcmVzczM","currency":"BTC","waits":{"from":"2026-01-04T13:00:13.500Z","meanwhile":"YWRkcmVzczI"}},"id":"b8c0fcdf-3ae2-53f8-a368-b0de545aed78","version":2,"stream":"account-u2","revision":4,"at":"2026-02-01T12:00:05.000Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"6762a1aa-da8f-5c13-8d11-4a8deb8bf2cd","requestHash":"6d7d1d6a2ac972310a05a9265ddff176826df6898523353bfce9792d337fd489","correlationId":"6762a1aa-da8f-5c13-8d11-4a8deb8bf2cd","causationId":"6762a1aa-da8f-5c13-8d11-4a8deb8bf2cd","chain":"a127b0a9f1a71984d729650fd4f3ebe522859d39eab9142045022ed5eb4bb1d9"}}`,
  String.raw`{"type":"WalletAddressCanceled","data":{"currency":"BTC"},"id":"111e5f71-e1fc-519e-bcb4-3b39bab12d6c","version":1,"stream":"account-u2","revision":5,"at":"2026-02-01T12:00:06.500Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"4360494a-d534-5006-b368-d21fe6392875","requestHash":"e7e6acb2cfc84c9ebd9e01ddb82f12fef30886e70b35dfa9c96db9de7aea6eb9","correlationId":"4360494a-d534-5006-b368-d21fe6392875","causationId":"4360494a-d534-5006-b368-d21fe6392875","chain":"474d93474c5a8bedb17989b46cc7d31a3ff15d70011a7ffbd6ef2e0c21f6a9ec"}}`,
  String.raw`{"type":"WalletAddressSaved","data":{"address":"YWRkcmVzczQ","currency":null,"waits":null},"id":"7df107ea-bfae-5811-b31b-bde19ef86756","version":2,"stream":"account-u2","revision":6,"at":"2026-02-01T12:00:08.000Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"commandId":"c2c74b00-8fc9-5acd-8e00-bd51bbb69e58","requestHash":"1635837fe4605c461109bd814bd9f7fe196519f49ed86b1e0b28c6727054fc60","correlationId":"c2c74b00-8fc9-5acd-8e00-bd51bbb69e58","causationId":"c2c74b00-8fc9-5acd-8e00-bd51bbb69e58","chain":"71804d3951ac1da24182f8104318944a153b5ea0b02ec2273930d1119aa005d7"}}`,
];
/** The same of somebody who was asked to verify the e-mail address. */
const verifying = [
  String.raw`{"type":"AccountOpened","data":{"userId":"u9","accountNumber":"3055555555","role":"user","profile":"c2VhbGVk"},"id":"57a74acb-7260-52d5-8ed8-98b960486268","version":1,"stream":"account-u9","revision":0,"at":"2026-01-04T09:00:01.500Z","meta":{"actor":{"kind":"person","id":"u9","role":"user"},"commandId":"c487574f-db8a-55a1-b6de-6fdb018e5a69","requestHash":"d0f631ca1ddba8db3bcfcb9e057cdc98d0379f1bee00e75a545147a27dadd982","correlationId":"c487574f-db8a-55a1-b6de-6fdb018e5a69","causationId":"c487574f-db8a-55a1-b6de-6fdb018e5a69","chain":"5e44440495c13d87fbdf0ca49fa77ba49fe06bc2e7596a89da3fd7cafc2923d2"}}`,
  String.raw`{"type":"EmailVerificationAsked","data":{},"id":"1458b613-a49a-5963-97b9-ac37b9e1c3c8","version":1,"stream":"account-u9","revision":1,"at":"2026-01-04T09:00:01.500Z","meta":{"actor":{"kind":"person","id":"u9","role":"user"},"commandId":"c487574f-db8a-55a1-b6de-6fdb018e5a69","requestHash":"d0f631ca1ddba8db3bcfcb9e057cdc98d0379f1bee00e75a545147a27dadd982","correlationId":"c487574f-db8a-55a1-b6de-6fdb018e5a69","causationId":"c487574f-db8a-55a1-b6de-6fdb018e5a69","chain":"2ba4df158fac90f7664e1a3e36ffc849f7785a15a2575bed973185dc39853c91"}}`,
  String.raw`{"type":"EmailVerified","data":{},"id":"73400f66-43a4-5f15-9b4d-c973ef322f74","version":1,"stream":"account-u9","revision":2,"at":"2026-01-04T09:00:03.000Z","meta":{"actor":{"kind":"person","id":"u9","role":"user"},"commandId":"1a3159e5-e966-5b5b-9283-9319192b5a50","requestHash":"9c0abe51c6e6655d81de2d044d4fb194931f058c0426c67c7285d8f5657ed64a","correlationId":"1a3159e5-e966-5b5b-9283-9319192b5a50","causationId":"1a3159e5-e966-5b5b-9283-9319192b5a50","chain":"d2e8fecc0639c62209fe7158ca8af1896f0c7f3cd853ce2bd215d404b3163c96"}}`,
  String.raw`{"type":"TermsAccepted","data":{"privacy":"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881","terms":"ad93e16bf443deec737d5ca5e3d7ab7e6f17b55694a6b05473f80aff6164866f"},"id":"c88a130c-e40a-50b0-b622-9c6b8e12b773","version":1,"stream":"account-u9","revision":3,"at":"2026-01-04T09:00:04.500Z","meta":{"actor":{"kind":"person","id":"u9","role":"user"},"commandId":"c628fc0c-4e02-5ef9-92b3-bc67e74dc8bb","requestHash":"7c1c97df17c066924822b0af09a65251554962c61e23329aed04cd19020dc3b8","correlationId":"c628fc0c-4e02-5ef9-92b3-bc67e74dc8bb","causationId":"c628fc0c-4e02-5ef9-92b3-bc67e74dc8bb","chain":"66e958b04ccc446c0c425a119762ad160d16f180bdbf01a0a56cf2c5352df132"}}`,
];
/** The same from when a payment began to say what it is found by. */
const paid = [
  String.raw`{"type":"AccountOpened","data":{"userId":"u3","accountNumber":"3012121212","role":"user","profile":"c2VhbGVk"},"id":"aa792f63-4de2-560a-b2c5-2f5ad1a13486","version":1,"stream":"account-u3","revision":0,"at":"2026-11-25T09:00:00.000Z","meta":{"actor":{"kind":"person","id":"u2","role":"user"},"causationId":"aed095c2-fa72-49e9-a46d-874d7f97829e","commandId":"aed095c2-fa72-49e9-a46d-874d7f97829e","correlationId":"aed095c2-fa72-49e9-a46d-874d7f97829e","requestHash":"6058ae89f1bd113e70e74be9b0e039c0431d8567cdb0ebc37bec89e6057b35e3","session":"s1","chain":"0a158846220cdba5d5a6cbd17379cf42fe39d8a0f50863ea92b70c57aa35519c"}}`,
  String.raw`{"type":"WithdrawalRequested","data":{"address":"YWRkcmVzcw","amount":"20.00","converted":"20.000000","convertedAmount":"31010.00","currency":"USDT","postings":[{"account":"customer/u3/available","amount":"-20.00","currency":"USD"},{"account":"customer/u3/held","amount":"20.00","currency":"USD"},{"account":"customer/u3/available","amount":"-20.000000","currency":"USDT"},{"account":"customer/u3/held","amount":"20.000000","currency":"USDT"}],"price":"1.00000000","rate":"1550.50000000","requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA4"},"id":"8f2b4d55-1fa4-5cb5-87f7-e1279572a466","version":1,"stream":"account-u3","revision":1,"at":"2026-11-25T09:00:01.500Z","meta":{"actor":{"kind":"person","id":"u1","role":"user"},"causationId":"468a76da-6496-599a-86f2-2de336c4fe72","commandId":"468a76da-6496-599a-86f2-2de336c4fe72","correlationId":"468a76da-6496-599a-86f2-2de336c4fe72","requestHash":"1b95ed56bb99a35252c731bb029c79c2dd9e738368386f41307ed877480480b9","session":"s1","chain":"4eaf585106a8120fb43878f4489baebdc719b7d089b9cfa4624c6c986de8e263"}}`,
  String.raw`{"type":"WithdrawalConfirmed","data":{"after":{"balance":"30.500000","wallet":"329.50"},"amount":"20.00","converted":"20.000000","currency":"USDT","postings":[{"account":"customer/u3/held","amount":"-20.00","currency":"USD"},{"account":"operator/payouts","amount":"20.00","currency":"USD"},{"account":"customer/u3/held","amount":"-20.000000","currency":"USDT"},{"account":"operator/payouts","amount":"20.000000","currency":"USDT"}],"price":"1.00000000","reference":"cmVmZXJlbmNl","requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA4"},"id":"8792f096-8d1a-50eb-95c5-3b5516e0378a","version":2,"stream":"account-u3","revision":2,"at":"2026-11-25T09:00:03.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"causationId":"229069fc-a803-5a24-a751-4334c23ae1d3","commandId":"229069fc-a803-5a24-a751-4334c23ae1d3","correlationId":"229069fc-a803-5a24-a751-4334c23ae1d3","reason":"Paid.","requestHash":"b61bae2c1c5d192e6b0d6bb456688fac0b1ca66b950d1dcac7d32db316ad39eb","session":"s2","chain":"1b62f4449ba549e83b82c58c0ea90ec41d7de737cc4b53f14c686967eb4c66e4"}}`,
];
/** What takes more than one admin. */
const approving = [
  String.raw`{"type":"AccountOpened","data":{"userId":"u1","accountNumber":"3012345678","role":"user","profile":"c2VhbGVk"},"id":"77e3706d-1dbd-549f-b046-12fc24728c75","version":1,"stream":"account-u1","revision":0,"at":"2026-01-01T12:00:01.500Z","meta":{"actor":{"kind":"person","id":"u1","role":"admin"},"causationId":"f854b343-63ad-53bb-a45e-cca68f608ca5","commandId":"f854b343-63ad-53bb-a45e-cca68f608ca5","correlationId":"f854b343-63ad-53bb-a45e-cca68f608ca5","requestHash":"765e160ecd1cbfca375381721437c7895c86d12e9140c577846be7a09e8d9c29","session":"s2","chain":"6bd74a2772307c917502418f5e4bdfdc4b7f48c3e2dbdb65f5e288303610634e"}}`,
  String.raw`{"type":"FundingRequested","data":{"amount":"2000.00","currency":"BTC","depositAddress":null,"evidence":{"fileId":"f9","mediaType":"image/png","bytes":2048,"sha256":"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"},"requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB1"},"id":"2f93ab5b-bcc0-5406-b217-20795f167b0e","version":2,"stream":"account-u1","revision":1,"at":"2026-01-01T12:00:03.000Z","meta":{"actor":{"kind":"person","id":"u1","role":"admin"},"causationId":"e5d48e28-23c4-5893-ad85-64da64881fe8","commandId":"e5d48e28-23c4-5893-ad85-64da64881fe8","correlationId":"e5d48e28-23c4-5893-ad85-64da64881fe8","requestHash":"692ac97f416a71e3f7102c44374a0b0db6397fd0b77ce03adbf210985c9f2252","session":"s2","chain":"68e83bb666d6cd5fd74e27b4e51388263720ed36638db4c9b37401f6612bc62d"}}`,
  String.raw`{"type":"RequestApproved","data":{"amount":"2000.00","by":"a1","currency":"BTC","given":1,"kind":"funding","needed":2,"requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB1","until":"2026-01-04T12:00:04.500Z"},"id":"f2c33a62-ce41-5578-84c6-15ffd859e90b","version":1,"stream":"account-u1","revision":2,"at":"2026-01-01T12:00:04.500Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"causationId":"298640be-0b18-524c-b5f3-50b1cd4d3e77","commandId":"298640be-0b18-524c-b5f3-50b1cd4d3e77","correlationId":"298640be-0b18-524c-b5f3-50b1cd4d3e77","reason":"It arrived.","requestHash":"5cfce28c40d0f6ceece83b924694862f24ba3093184916066669a00cc297935c","session":"s2","chain":"be31a1fe13c8d2b932a0a602f52c29bc42fed848ce47552b980c430aa641c4ae"}}`,
  String.raw`{"type":"AdjustmentProposed","data":{"by":"a1","entries":[{"amount":"-1500.00","currency":"PI"},{"amount":"1500.00","currency":"BTC"}],"needed":3,"requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB2","until":"2026-01-04T12:00:06.000Z"},"id":"8376be46-dbb4-5864-908b-4f92fc4bcd09","version":1,"stream":"account-u1","revision":3,"at":"2026-01-01T12:00:06.000Z","meta":{"actor":{"kind":"person","id":"a1","role":"admin"},"causationId":"29386eb4-723f-5123-963a-a5e110d81790","commandId":"29386eb4-723f-5123-963a-a5e110d81790","correlationId":"29386eb4-723f-5123-963a-a5e110d81790","reason":"Booked in the wrong currency.","requestHash":"aa79feb8db3ad849bd2c18450c20735945acc1c359ca9a977413b45f80f373b4","session":"s2","chain":"9966ad3defae5b166ea64267a7cc41a223fa41c203b0fe61ab8f6d6c252ff052"}}`,
  String.raw`{"type":"AdjustmentApproved","data":{"requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB2","by":"a2","until":"2026-01-04T12:00:07.500Z","given":2,"needed":3},"id":"7a3c065b-19d5-56c6-8c77-50e7d52180ee","version":1,"stream":"account-u1","revision":4,"at":"2026-01-01T12:00:07.500Z","meta":{"actor":{"kind":"person","id":"a2","role":"admin"},"causationId":"a4140a47-9862-556b-b0e1-ac8588ea79d9","commandId":"a4140a47-9862-556b-b0e1-ac8588ea79d9","correlationId":"a4140a47-9862-556b-b0e1-ac8588ea79d9","reason":"So it is.","requestHash":"2fe3b53b7ca228792db41805b2fb5528ee204608dd7bf14712ba4e32e02b71ad","session":"s2","chain":"2daa4e5f2c854aacc1c488031a4fa3f6b2fd243fbc8a718d796e68488c5ece75"}}`,
  String.raw`{"type":"AdjustmentRejected","data":{"requestId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB2"},"id":"d77db128-23b7-5105-8b86-e8b56a2cf54c","version":1,"stream":"account-u1","revision":5,"at":"2026-01-01T12:00:09.000Z","meta":{"actor":{"kind":"person","id":"a3","role":"admin"},"causationId":"20c273e0-806d-52f4-844f-b9a97e4f81f7","commandId":"20c273e0-806d-52f4-844f-b9a97e4f81f7","correlationId":"20c273e0-806d-52f4-844f-b9a97e4f81f7","reason":"It is right as it is.","requestHash":"bc6f38eaf10059c8056f16c6bd818959681e61c1ed64faabb45c4231e117ac2c","session":"s2","chain":"53ea4d6f68657ec157c67e165b29814bd748f8ff55a6b5d637b56305cc25a747"}}`,
];
const examples = [...stream, ...later, ...verifying, ...paid, ...approving];

describe('the events of an account are frozen', () => {
  testExamples(accountDecider.codecs, [stream, later, verifying, paid, approving]);

  test('a fund request says where deposits went, once that was kept', () => {
    const said = decodeFrozen(accountDecider.codecs, examples).flatMap(({ type, data }) =>
      type === 'FundingRequested' ? [data.depositAddress] : [],
    );
    expect(said).toEqual([null, null, null, 'bc1qexample', null, null]);
  });

  test('a payment says what it is found by, once that was kept', () => {
    const said = decodeFrozen(accountDecider.codecs, examples).flatMap(({ type, data }) =>
      type === 'WithdrawalConfirmed' ? [data.reference] : [],
    );
    expect(said).toEqual([null, 'cmVmZXJlbmNl']);
  });

  test('addresses go by currency, and one that waited is gone once it was canceled', () => {
    const state = foldFrozen<AccountEvent, Account>(accountDecider, later);
    expect(state).toMatchObject({
      addresses: {
        any: { address: 'YWRkcmVzczQ', next: null },
        BTC: { address: 'YWRkcmVzczI', next: null },
      },
    });
    expect(foldFrozen<AccountEvent, Account>(accountDecider, later.slice(0, 5))).toMatchObject({
      addresses: {
        BTC: {
          address: 'YWRkcmVzczI',
          next: { address: 'YWRkcmVzczM', from: '2026-01-04T13:00:13.500Z' },
        },
      },
    });
    const before = foldFrozen<AccountEvent, Account>(accountDecider, stream.slice(0, 10));
    expect(before).toMatchObject({ addresses: { any: { address: 'YWRkcmVzcw', next: null } } });
  });

  test('its first lines, from before balances were written down, give the state that they always gave', () => {
    const state = foldFrozen<AccountEvent, Account>(accountDecider, stream.slice(0, 7));
    expect(plain(state)).toEqual({
      kind: 'open',
      userId: 'u1',
      accountNumber: '3012345678',
      role: 'user',
      available: {
        USD: parseMoney('210.50', 'USD'),
        BTC: parseMoney('0.00333332', 'BTC'),
        PI: 0n,
        USDT: parseMoney('10.50', 'USDT'),
      },
      held: noAmounts,
      status: 'active',
      profile: 'c2VhbGVk',
      addresses: {},
      addressesLeft: {},
      image: null,
      moneyOut: null,
      isEmailVerified: true,
      incoming: {},
      bonus: null,
      open: { funding: 0, withdrawal: 0, transfer: 0 },
      requests: {
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA1: {
          kind: 'funding',
          status: 'confirmed',
          amount: 30_000n,
          currency: 'BTC',
          evidence: 'f1',
        },
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA2: {
          kind: 'funding',
          status: 'rejected',
          amount: 5_001n,
          currency: 'PI',
          evidence: 'f1',
        },
      },
      evidence: { f1: 1 },
      proposals: {},
    });
  });

  test('whoever was asked to verify the e-mail address has not until it is verified', () => {
    const states = [1, 2, 3].map((lines) =>
      plain(foldFrozen<AccountEvent, Account>(accountDecider, verifying.slice(0, lines))),
    );
    expect(states).toMatchObject([true, false, true].map((isEmailVerified) => ({ isEmailVerified })));
  });

  test('what waits for other admins has the approvals that it has, and moved nothing', () => {
    const waiting = plain(foldFrozen<AccountEvent, Account>(accountDecider, approving.slice(0, 5)));
    expect(waiting).toMatchObject({
      available: noAmounts,
      requests: {
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB1: {
          status: 'Pending',
          approvals: [{ by: 'a1', until: '2026-01-04T12:00:04.500Z', needed: 2 }],
        },
      },
      proposals: {
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB2: {
          status: 'Pending',
          entries: [
            { currency: 'PI', amount: -150_000n },
            { currency: 'BTC', amount: 150_000n },
          ],
          until: '2026-01-04T12:00:06.000Z',
          approvals: [
            { by: 'a1', until: '2026-01-04T12:00:06.000Z', needed: 3 },
            { by: 'a2', until: '2026-01-04T12:00:07.500Z', needed: 3 },
          ],
        },
      },
    });
    const rejected = plain(foldFrozen<AccountEvent, Account>(accountDecider, approving));
    expect(rejected).toMatchObject({
      proposals: { AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB2: { status: 'rejected', approvals: [] } },
    });
  });

  test('the stored stream gives the state that it always gave', () => {
    const receiver = { userId: 'u2', accountNumber: '3087654321' };
    const pi = { currency: 'PI', price: 50_000_000n };
    const state = plain(foldFrozen<AccountEvent, Account>(accountDecider, stream));
    expect(state).toMatchObject({
      status: 'closed',
      profile: 'c2VhbGVkMg',
      addresses: {},
      image: null,
      moneyOut: { until: '2026-01-04T13:00:10.500Z', why: 'password_reset' },
      available: noAmounts,
      held: noAmounts,
      // From before a file served one request alone.
      evidence: { f1: 2 },
      incoming: {
        BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB1: 'received',
        BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB2: 'refused',
      },
      bonus: {
        startDate: '2026-01-03T13:00:03.000Z',
        endDate: '2026-01-10T13:00:03.000Z',
        bonusDays: 0,
        updatedTime: '2026-01-03T13:00:03.000Z',
      },
    });
    expect(Object.values('requests' in state ? state.requests : {}).slice(2)).toEqual([
      { kind: 'funding', status: 'confirmed', amount: 10_000n, currency: 'PI', evidence: 'f1' },
      {
        kind: 'withdrawal',
        status: 'confirmed',
        amount: 2_000n,
        currency: 'USDT',
        price: 100_000_000n,
        converted: 20_000_000n,
      },
      {
        kind: 'withdrawal',
        status: 'rejected',
        amount: 150n,
        currency: 'BTC',
        price: 6_000_012_345_678n,
        converted: 2_499n,
      },
      {
        ...pi,
        kind: 'transfer',
        status: 'confirmed',
        amount: 3_000n,
        converted: 600_000_000n,
        receiver,
        delivery: 'received',
      },
      {
        ...pi,
        kind: 'transfer',
        status: 'confirmed',
        amount: 500n,
        converted: 100_000_000n,
        receiver,
        delivery: 'returned',
      },
      {
        ...pi,
        kind: 'transfer',
        status: 'confirmed',
        amount: 200n,
        converted: 40_000_000n,
        receiver: null,
        delivery: 'none',
      },
      {
        ...pi,
        kind: 'transfer',
        status: 'rejected',
        amount: 300n,
        converted: 60_000_000n,
        receiver,
        delivery: 'none',
      },
    ]);
  });

  test('it moves what it always moved out of and into the dollars that may be spent', () => {
    const sums = decodeFrozen(accountDecider.codecs, stream).map(
      (event) => `${event.type} ${formatMoney(sumOf(postingsOf(event), availableOf('u1')).USD, 'USD')}`,
    );
    expect(sums.filter((text) => !text.endsWith(' 0.00'))).toEqual([
      'FundingConfirmed 300.00',
      'WalletCredited 10.50',
      'WalletDebited -100.00',
      'FundingConfirmed 100.00',
      'WalletCredited 40.00',
      'WalletDebited -1.00',
      'WithdrawalRequested -20.00',
      'WithdrawalRequested -1.50',
      'WithdrawalRejected 1.50',
      'TransferRequested -30.00',
      'TransferRequested -5.00',
      'TransferReturned 5.00',
      'TransferRequested -2.00',
      'TransferRequested -3.00',
      'TransferRejected 3.00',
      'TransferReceived 12.00',
      'BonusAccrued 61.90',
      'WalletDebited -200.00',
      'WalletDebited -79.00',
      'WalletDebited -92.40',
    ]);
  });
});

/** The state with its maps as plain entries, so that they are compared by what they hold. */
function plain(state: Account) {
  if (state.kind === 'none') return state;
  const { requests, proposals, evidence, incoming } = state;
  return {
    ...state,
    requests: requests.toObject(),
    proposals: proposals.toObject(),
    evidence: evidence.toObject(),
    incoming: incoming.toObject(),
  };
}
