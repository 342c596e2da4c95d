/** Several calls in one. */
import { evil, friend, own, token } from '../draw-card'
import { nativeLogger, usdc } from '../evm-requests/addresses'
import { encode, ether, operation } from '../evm-requests/calls'
import { chainOf, dollars, moves, simulatedBatch, unknownToken } from '../evm-requests/chain'
import type { Row } from './row'

export const rows: readonly Row[] = [
  {
    name: 'two tokens and ETH in one batch',
    request: operation(
      { to: token, data: encode('transfer', [evil, 5_000_000n]) },
      { to: usdc, data: encode('transfer', [evil, 7_000_000n]) },
      { to: usdc, data: encode('transfer', [friend, 1_000_000n]) },
      { to: evil, value: ether },
    ),
    answers: dollars,
    warns: ['firstTimeRecipient'],
    shows: [`| − 5 GOLD ${unknownToken} | − 8 USDC | − 1 ETH | Couldn’t simulate`],
    hides: ['4 steps'],
  },
  {
    name: 'a transfer and an allowance in one batch',
    request: operation(
      { to: token, data: encode('transfer', [evil, 5_000_000n]) },
      { to: usdc, data: encode('approve', [evil, 7_000_000n]) },
    ),
    answers: dollars,
    warns: ['firstTimeRecipient', 'unknownContract'],
    shows: [`| Allow spending and 1 more step | 7 USDC | − 5 GOLD ${unknownToken} | Couldn’t`],
  },
  {
    name: 'a batch with access to a collection behind a small payment',
    request: operation({ to: friend, value: 1n }, { to: token, data: encode('setApprovalForAll', [evil, true]) }),
    warns: ['approvesAll'],
    shows: [/\| Allow access to entire collection[^|]* and 1 more step \| − 0.000000000000000001 ETH/],
  },
  ...(
    [
      ['a gain', [moves(usdc, evil, own, 10_000_000_000n)], ['− 6 ETH', '+ 10,000 USDC']],
      ['nothing', [], ['− 6 ETH']],
      ['less', [moves(nativeLogger, own, evil, ether)], ['− 6 ETH']],
    ] as const
  ).map(
    ([name, logs, shows]): Row => ({
      name: `a batch that takes 6 ETH of which the chain simulates ${name}`,
      request: operation(
        { to: evil, value: 5n * ether, data: '0x12345678' },
        { to: friend, value: ether },
        { to: usdc, data: encode('approve', [evil, 7_000_000n]) },
      ),
      answers: chainOf({ symbol: 'GOLD', decimals: 6 }, simulatedBatch(3, logs)),
      warns: ['notDecoded'],
      shows: [...shows, '7 USDC', 'There may be other changes'],
      hides: ['No changes'],
    }),
  ),
  ...(
    [
      ['a payment', { to: evil, value: 10n * ether }, ['tooLong', 'firstTimeRecipient']],
      ['an approval', { to: usdc, data: encode('approve', [evil, 50_000_000_000n]) }, ['tooLong', 'unknownContract']],
    ] as const
  ).map(
    ([name, last, warns]): Row => ({
      name: `${name} behind more steps than the card has`,
      request: operation(...Array.from({ length: 69 }, () => ({ to: friend, value: 1n })), last),
      context: { known: { recipients: [friend], contracts: [] } },
      warns,
      shows: ['| 70 steps | We can’t tell what will change |'],
      hides: ['−'],
    }),
  ),
]
