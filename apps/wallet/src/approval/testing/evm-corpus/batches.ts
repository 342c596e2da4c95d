/** Several calls in one. */
import { evil, friend, token } from '../draw-card'
import { usdc } from '../evm-requests/addresses'
import { encode, ether, operation } from '../evm-requests/calls'
import { dollars, unknownToken } from '../evm-requests/chain'
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
    shows: ['| 2 steps | We can’t tell what will change |'],
  },
]
