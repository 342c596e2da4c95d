/** Calls of an account to itself, and of one of the owner’s accounts to another. */
import { evil, friend, own, token } from '../draw-card'
import { own2 } from '../evm-requests/addresses'
import { encode, operation, transaction } from '../evm-requests/calls'
import { dollars, word } from '../evm-requests/chain'
import { safeTx } from '../evm-requests/wrapped-calls'
import type { Row } from './row'

export const rows: readonly Row[] = [
  // The account itself
  ...(
    [
      ['a call that is not read', '0x12345678'],
      ['a new module (ERC-7579)', encode('installModule', [1n, evil, '0x'])],
      ['another threshold', encode('changeThreshold', [1n])],
      ['a module, with a byte too many', `${encode('enableModule', [evil])}00`],
    ] as const
  ).flatMap(([name, data]): readonly Row[] => [
    {
      name: `of the own smart account to itself: ${name}`,
      request: operation({ to: own, data }),
      context: { known: { recipients: [], contracts: [own] } },
      warns: ['givesControl', 'notDecoded'],
      shows: ['This may give away control of your account.'],
    },
    {
      name: `of a Safe to itself: ${name}`,
      request: safeTx({ to: friend, data }),
      context: { known: { recipients: [], contracts: [friend] } },
      warns: ['givesControl', 'notDecoded'],
      shows: ['This may give away control of your account.'],
    },
  ]),
  {
    name: 'a plain account’s data to itself',
    request: transaction({ to: own, data: '0x12345678' }),
    context: { known: { recipients: [], contracts: [own] } },
    warns: ['notDecoded'],
    shows: [],
    hides: ['control of your account'],
  },

  // Another account of the owner's
  ...(
    [
      ['tokens', encode('transferFrom', [own2, evil, 5_000_000n]), /− 5 GOLD/],
      ['an item', encode('safeTransferItem', [own2, evil, 7n]), /− #7/],
      ['pieces', encode('safeTransferFrom', [own2, evil, 7n, 3n, '0x']), /− 3 × #7/],
    ] as const
  ).map(
    ([name, data, taken]): Row => ({
      name: `${name} of another account of the owner’s`,
      request: transaction({ to: token, data }),
      answers: dollars,
      context: { own: [own, own2], known: { recipients: [], contracts: [token] } },
      warns: ['firstTimeRecipient'],
      shows: [taken, `To | ${evil}`],
    }),
  ),
  {
    name: 'a sent permit of another account of the owner’s',
    request: transaction({
      to: token,
      data: encode('permit', [own2, evil, 2n ** 256n - 1n, 2n ** 256n - 1n, 27, word(1), word(2)]),
    }),
    answers: dollars,
    context: { own: [own, own2], known: { recipients: [], contracts: [token] } },
    warns: ['unlimitedApproval', 'longExpiry', 'unknownContract'],
    shows: ['Unlimited spending.', `Spender | ${evil}`],
  },
  {
    name: 'a plain account’s order to the smart account that it owns',
    request: transaction({ to: own2, data: '0x12345678' }),
    context: { own: [own, own2], known: { recipients: [], contracts: [own2] } },
    warns: ['givesControl', 'notDecoded'],
    shows: ['This may give away control of your account.'],
  },
]
