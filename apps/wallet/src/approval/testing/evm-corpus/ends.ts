/** How long a signature is valid. */
import { evil, friend, own, token } from '../draw-card'
import { permit2, reactor, seaport, usdc } from '../evm-requests/addresses'
import { encode, ether, transaction } from '../evm-requests/calls'
import { dollars, word } from '../evm-requests/chain'
import { cowOrder, pays, seaportOrder, witness, zeroExOrder } from '../evm-requests/orders'
import { daiPermit, permit, permitSingle, transferBySignature } from '../evm-requests/permits'
import { member, soon } from '../evm-requests/typed-data'
import { forwardRequest, metaTransaction, safeTx, transferByAuthorization } from '../evm-requests/wrapped-calls'
import type { Row } from './row'

export const rows: readonly Row[] = [
  ...(
    [
      ['DAI’s permit without an end', daiPermit('0', true), 'Expires | Never | Signature valid until | Never'],
      [
        'EIP-2612: a signature until 2096',
        permit(5n, {}, evil, '4000000000'),
        /Expires \| Never \| Signature valid until \| \w+ \d+, 2096/,
      ],
      [
        'Permit2: an allowance until 2096, by a signature that ends soon',
        permitSingle('4000000000', soon),
        /Expires \| \w+ \d+, 2096[^|]*\| Signature valid until \| \w+ \d+, 2026/,
      ],
      [
        'Permit2: an allowance that ends soon, by a signature until 2096',
        permitSingle(soon, '4000000000', 'PermitBatch'),
        /Expires \| \w+ \d+, 2026[^|]*\| Signature valid until \| \w+ \d+, 2096/,
      ],
      [
        'Permit2: for the block of a signature that has no end',
        permitSingle('0', `${2n ** 256n - 1n}`),
        'Signature valid until | Never',
      ],
      [
        'Permit2: a batch for the block of a signature that ends in 2096',
        permitSingle('0', '4000000000', 'PermitBatch'),
        /\w+ \d+, 2096/,
      ],
      [
        'Seaport: an order until 2096',
        seaportOrder(
          [{ type: 2, of: token, id: 5n, amount: 1n }],
          [{ type: 0, amount: ether, to: own }],
          seaport,
          '4000000000',
        ),
        /\w+ \d+, 2096/,
      ],
      ['CoW: an order until 2106', cowOrder(4_294_967_295), /\w+ \d+, 2106/],
      ['0x: a limit order until 2096', zeroExOrder('LimitOrder', 'expiry', 4_000_000_000n), /\w+ \d+, 2096/],
      [
        '0x: an order over the counter until 2096',
        zeroExOrder('OtcOrder', 'expiryAndNonce', (4_000_000_000n << 192n) + 7n),
        /\w+ \d+, 2096/,
      ],
    ] as const
  ).map(
    ([name, request, end]): Row => ({
      name,
      request,
      warns: ['longExpiry'],
      shows: ['This stays valid for a long time.', /(?:Expires|Signature valid until) \| /, end],
      hides: ['1970'],
    }),
  ),
  {
    name: 'Permit2: an allowance for the block of the call',
    request: transaction({ to: permit2, data: encode('approveBy2', [usdc, evil, 5_000_000n, 0]) }),
    answers: dollars,
    warns: ['unknownContract'],
    shows: ['Limit | 5 USDC'],
    hides: ['1970'],
  },
  ...(
    [
      ['EIP-2612', permit(5n)],
      ['DAI', daiPermit(soon, true)],
    ] as const
  ).map(
    ([name, request]): Row => ({
      name: `${name}: an allowance that stays after its signature ends`,
      request,
      answers: dollars,
      warns: ['unknownContract'],
      shows: [/Expires \| Never \| Signature valid until \| \w+ \d+, 2026/],
      hides: ['This stays valid'],
    }),
  ),
  {
    name: 'a sent permit of the owner, for an allowance that stays',
    request: transaction({ to: token, data: encode('permit', [own, evil, 5n, 1_795_000_000n, 27, word(1), word(2)]) }),
    answers: dollars,
    warns: ['unknownContract'],
    shows: [/Expires \| Never \| Signature valid until \| \w+ \d+, 2026/],
  },
  {
    name: 'Permit2: a transfer by signature leaves no allowance',
    request: witness(reactor, [pays(30n * ether)]),
    warns: ['unknownContract'],
    shows: ['Signature valid until'],
    hides: ['Expires | Never'],
  },
  {
    name: 'EIP-3009: a signature that ends soon',
    request: transferByAuthorization({}),
    answers: dollars,
    warns: ['firstTimeRecipient'],
    shows: [/Signature valid until \| \w+ \d+, 2026/],
    hides: ['Expires'],
  },
  ...(
    [
      ['DAI’s permit taken back, without an end', daiPermit('0', false), '0 GOLD', 'Signature valid until | Never'],
      ['DAI’s permit taken back', daiPermit(soon, false), '0 GOLD', /Signature valid until \| \w+ \d+, 2026/],
      ['EIP-2612: nothing, by a signature until 2096', permit(0n, {}, evil, '4000000000'), '0 GOLD', /\w+ \d+, 2096/],
      ['Permit2: nothing', permitSingle(soon, soon, 'PermitSingle', 0n), '0 USDC', /\w+ \d+, 2026/],
    ] as const
  ).map(
    ([name, request, limit, end]): Row => ({
      name,
      request,
      answers: dollars,
      warns: [],
      shows: ['asks you to sign | Revoke permission |', `Limit | ${limit}`, end],
      hides: ['Allow spending', 'This stays valid', '1970', 'Expires | Never'],
    }),
  ),
  {
    name: 'a sent permit of nothing',
    request: transaction({ to: token, data: encode('permit', [own, evil, 0n, 1_795_000_000n, 27, word(1), word(2)]) }),
    answers: dollars,
    warns: [],
    shows: ['asks you to send | Revoke permission |', 'Limit | 0 GOLD'],
    hides: ['Expires | Never', 'Allow spending'],
  },
  {
    name: 'Permit2: a transfer of nothing by signature, which takes nothing back',
    request: transferBySignature(0n),
    warns: ['notDecoded'],
    shows: ['This signature could move your assets.'],
    hides: ['Revoke permission'],
  },

  ...(
    [
      ['a meta transaction', metaTransaction(encode('transfer', [evil, 5n]))],
      ['a Safe’s transaction', safeTx({ to: friend, value: '1', nonce: '999' })],
      ['a forwarded call', forwardRequest({ to: friend, value: 1n })],
      [
        'a forwarded call with an end of 0',
        forwardRequest({ to: friend, value: 1n }, {}, [member('deadline', 'uint48')], '0'),
      ],
    ] as const
  ).map(
    ([name, request]): Row => ({
      name: `without an end: ${name}`,
      request,
      warns: ['neverExpires'],
      shows: ['This doesn’t expire.'],
    }),
  ),
  {
    name: 'a forwarded call until 2096',
    request: forwardRequest({ to: friend, value: 1n }, {}, [member('deadline', 'uint48')], '4000000000'),
    warns: ['longExpiry'],
    shows: ['This stays valid for a long time.'],
  },
  {
    name: 'a forwarded call that ends soon',
    request: forwardRequest({ to: friend, value: 1n }, {}, [member('deadline', 'uint48')], soon),
    context: { known: { recipients: [friend], contracts: [evil] } },
    warns: [],
    shows: ['− 0.000000000000000001 ETH'],
    hides: ['This stays valid', 'expire.'],
  },
]
