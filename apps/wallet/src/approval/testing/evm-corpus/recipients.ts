/** Who gets something. */
import { evil, friend, own, token } from '../draw-card'
import { likeFriend, likeOwn } from '../evm-requests/addresses'
import { encode, ether, swapOf, transaction } from '../evm-requests/calls'
import { seaportOrder } from '../evm-requests/orders'
import { transferByAuthorization } from '../evm-requests/wrapped-calls'
import type { Row } from './row'

export const rows: readonly Row[] = [
  {
    name: 'another account’s tokens for a look-alike',
    request: transaction({ to: token, data: encode('transferFrom', [evil, likeFriend, 5n]) }),
    context: { known: { recipients: [friend], contracts: [token] } },
    warns: ['lookalikeRecipient', 'firstTimeRecipient'],
    shows: ['Look-alike address.', new RegExp(`to \\| ${likeFriend}`, 'i')],
  },
  {
    name: 'another account’s tokens for the owner',
    request: transaction({ to: token, data: encode('transferFrom', [evil, own, 5n]) }),
    context: { known: { recipients: [], contracts: [token] } },
    warns: [],
    shows: ['| You'],
  },

  // Addresses like the owner's
  ...(
    [
      ['a payment', transaction({ to: likeOwn, value: ether })],
      ['a transfer', transaction({ to: token, data: encode('transfer', [likeOwn, 5n]) })],
      ['a swap', swapOf(3_000n * 10n ** 6n, likeOwn)],
      ['EIP-3009', transferByAuthorization({ to: likeOwn })],
      [
        'an order',
        seaportOrder([{ type: 2, of: token, id: 5n, amount: 1n }], [{ type: 0, amount: ether, to: likeOwn }]),
      ],
    ] as const
  ).map(
    ([name, request]): Row => ({
      name: `${name} for an address like the owner’s`,
      request,
      warns: ['lookalikeRecipient', 'firstTimeRecipient'],
      shows: ['Look-alike address.', 'your own:', own],
    }),
  ),
]
