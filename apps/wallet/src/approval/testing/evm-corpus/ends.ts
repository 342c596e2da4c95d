/** How long a signature is valid. */
import { evil, friend, own, token } from '../draw-card'
import { permit2, seaport, usdc } from '../evm-requests/addresses'
import { encode, ether, transaction } from '../evm-requests/calls'
import { dollars } from '../evm-requests/chain'
import { cowOrder, seaportOrder, zeroExOrder } from '../evm-requests/orders'
import { daiPermit, permitSingle } from '../evm-requests/permits'
import { member, soon } from '../evm-requests/typed-data'
import { forwardRequest, metaTransaction } from '../evm-requests/wrapped-calls'
import type { Row } from './row'

export const rows: readonly Row[] = [
  ...(
    [
      ['DAI’s permit without an end', daiPermit('0', true), 'Never'],
      ['Permit2: for the block of a signature that has no end', permitSingle('0', `${2n ** 256n - 1n}`), 'Never'],
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
      shows: ['This stays valid for a long time.', 'Expires | ', end],
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
  {
    name: 'DAI’s permit taken back',
    request: daiPermit('0', false),
    answers: dollars,
    warns: [],
    shows: ['Limit | 0 GOLD'],
    hides: ['This stays valid'],
  },

  ...(
    [
      ['a meta transaction', metaTransaction(encode('transfer', [evil, 5n]))],
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
