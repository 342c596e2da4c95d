/** Swaps and deposits. */
import { evil, friend, own } from '../draw-card'
import { firstRouter3, likeOwn, router, router3, usdc, usdt, weth, zero } from '../evm-requests/addresses'
import { encode, ether, operation, swapOf, transaction } from '../evm-requests/calls'
import { chainOf, dollars, moves, simulatedBatch, swapped } from '../evm-requests/chain'
import type { Row } from './row'

const usedRouter: Row['context'] = { known: { recipients: [friend], contracts: [router] } }

const numbered = (recipient: number) => `0x${`${recipient}`.padStart(40, '0')}`
const ofDollars = (recipient: string) => ({
  tokenIn: usdc,
  tokenOut: weth,
  fee: 500,
  recipient,
  amountIn: 50_000_000_000n,
  amountOutMinimum: 10n * ether,
  sqrtPriceLimitX96: 0n,
})
const firstV3 = (to: string) => encode('exactInputSingleUntil', [{ ...ofDollars(to), deadline: 9_999_999_999n }])
const secondV3 = (to: string) => encode('exactInputSingle', [ofDollars(to)])
/** Each for at least 5. */
const twice = Array.from({ length: 2 }, () =>
  encode('exactInputSingle', [{ ...ofDollars(own), amountOutMinimum: 5n * ether }]),
)
const swapExactETHForTokens = (to: string) =>
  encode('swapExactETHForTokens', [5_000n * 10n ** 6n, [weth, usdc], to, 9_999_999_999n])

export const rows: readonly Row[] = [
  {
    name: 'a swap at a contract that is no router',
    request: transaction({
      to: evil,
      value: ether,
      data: encode('swapExactETHForTokens', [5_000n * 10n ** 6n, [evil, usdc], own, 9_999_999_999n]),
    }),
    answers: dollars,
    context: { known: { recipients: [], contracts: [evil] } },
    warns: ['notDecoded'],
    shows: ['| − 1 ETH |', 'Function | swapExactETHForTokens', 'Amount sent | 1 ETH'],
    hides: ['You receive at least', '+ 5,000'],
  },
  {
    name: 'a swap at a router, to a stranger',
    request: transaction({
      to: router,
      value: ether,
      data: encode('swapExactETHForTokens', [5_000n * 10n ** 6n, [evil, usdc], evil, 9_999_999_999n]),
    }),
    answers: dollars,
    warns: ['firstTimeRecipient', 'unknownContract'],
    shows: ['You receive at least | 5,000 USDC'],
  },
  {
    name: 'a deposit at a contract that no list names',
    request: transaction({ to: evil, value: 5n * ether, data: encode('deposit', []) }),
    context: { known: { recipients: [], contracts: [evil] } },
    warns: ['notDecoded'],
    shows: ['| − 5 ETH |', 'Amount sent | 5 ETH', `Contract | ${evil}`],
  },
  {
    name: 'a deposit at a token of the gateway’s list',
    request: transaction({ to: weth, value: 5n * ether, data: encode('deposit', []) }),
    context: { tokens: [{ address: weth, symbol: 'WETH', decimals: 18 }] },
    warns: ['unknownContract'],
    shows: ['Function | deposit', 'Amount sent | 5 ETH'],
    hides: ['We couldn’t fully read'],
  },

  ...([0n, 1n] as const).map(
    (least): Row => ({
      name: `a swap for at least ${least}`,
      request: swapOf(least),
      answers: swapped(3_000n * 10n ** 6n),
      context: usedRouter,
      warns: ['lowMinimum'],
      shows: ['You may get much less.', least === 0n ? 'You receive at least | 0 USDC' : '0.000001 USDC'],
    }),
  ),
  {
    name: 'a swap for at least nothing, without an answer of the chain',
    request: swapOf(0n),
    context: usedRouter,
    warns: ['lowMinimum'],
    shows: ['You may get much less.'],
  },
  {
    name: 'a swap for at least a third of what it brings',
    request: swapOf(1_000n * 10n ** 6n),
    answers: swapped(3_000n * 10n ** 6n),
    context: usedRouter,
    warns: ['lowMinimum'],
    shows: ['+ 3,000 USDC', 'You may get much less.'],
  },
  {
    name: 'a swap with a usual minimum',
    request: swapOf(2_970n * 10n ** 6n),
    answers: swapped(3_000n * 10n ** 6n),
    context: usedRouter,
    warns: [],
    shows: ['+ 3,000 USDC'],
    hides: ['You may get', 'You get nothing', 'New recipient'],
  },
  ...(
    [
      [
        'a router’s multicall',
        transaction({ to: router3, data: encode('multicallUntil', [9_999_999_999n, twice]) }),
        1,
      ],
      ['one batch', operation(...twice.map((data) => ({ to: router3, data }))), 2],
    ] as const
  ).map(
    ([name, request, calls]): Row => ({
      name: `two swaps of ${name}, together for at least a third of what they bring`,
      request,
      answers: chainOf(
        { symbol: 'GOLD', decimals: 6 },
        simulatedBatch(calls, [moves(usdc, own, router3, 10n ** 11n), moves(weth, router3, own, 30n * ether)]),
      ),
      context: { known: { recipients: [], contracts: [router3] } },
      warns: ['lowMinimum'],
      shows: ['− 100,000 USDC', 'You may get much less.'],
    }),
  ),
  {
    name: 'a swap of 50,000 dollars for at least 10 others',
    request: transaction({
      to: router,
      data: encode('swapExactTokensForTokens', [50_000n * 10n ** 6n, 10n ** 7n, [usdc, usdt], own, 9_999_999_999n]),
    }),
    context: usedRouter,
    warns: ['lowMinimum'],
    shows: ['You receive at least | 10 USDT', 'You may get much less.'],
  },
  ...[friend, evil, zero, likeOwn].map(
    (to): Row => ({
      name: `a swap for ${to}`,
      request: swapOf(3_000n * 10n ** 6n, to),
      context: usedRouter,
      warns: ['givesForNothing'],
      shows: ['You get nothing for this.', 'What this swap pays goes to another account.'],
    }),
  ),

  // The numbers that SwapRouter02 alone takes for an address
  ...(
    [
      ['Uniswap’s first router of V3', firstRouter3, firstV3, undefined],
      ['Uniswap’s router of V2', router, swapExactETHForTokens, undefined],
      ['a router that the operator chose', friend, firstV3, [friend]],
    ] as const
  ).map(
    ([name, to, swapFor, routers]): Row => ({
      name: `a swap for the address 1, inside of a multicall at ${name}`,
      request: transaction({ to, data: encode('multicall', [[swapFor(numbered(1))]]) }),
      context: { known: { recipients: [], contracts: [to] }, ...(routers !== undefined && { routers }) },
      warns: ['givesForNothing', 'firstTimeRecipient'],
      shows: ['You get nothing for this.', `Recipient | ${numbered(1)}`],
      hides: ['| You |'],
    }),
  ),
  ...[0, 2].map(
    (recipient): Row => ({
      name: `a swap for the number ${recipient}, inside of a multicall at Uniswap’s first router of V3`,
      request: transaction({ to: firstRouter3, data: encode('multicall', [[firstV3(numbered(recipient))]]) }),
      context: { known: { recipients: [], contracts: [firstRouter3] } },
      warns: ['notDecoded'],
      shows: ['Contract interaction'],
      hides: ['You receive at least'],
    }),
  ),
  {
    name: 'a swap for the number 1, inside of a multicall at SwapRouter02',
    request: transaction({ to: router3, data: encode('multicallUntil', [9_999_999_999n, [secondV3(numbered(1))]]) }),
    context: { known: { recipients: [], contracts: [router3] } },
    warns: [],
    shows: [`Recipient | ${own} | You`],
    hides: ['You get nothing'],
  },

  // What a router is paid with the value of the call
  ...(
    [
      ['the value', weth, ether, ['| − 1 ETH | Swap |'], ['WETH', '2 steps', 'more step']],
      ['part of the value, of which the router keeps the rest', weth, ether / 2n, ['| − 1 ETH | Swap |'], ['− 0.5']],
      ['more than the value', weth, 2n * ether, ['− 1 ETH', '− 2 WETH', 'You pay | 2 '], []],
      [
        'another token, besides the value',
        usdc,
        ether,
        ['− 1 ETH', '− 1,000,000,000,000 USDC', 'You pay | 1,000,000,000,000 USDC'],
        [],
      ],
    ] as const
  ).map(
    ([name, tokenIn, amountIn, shows, hides]): Row => ({
      name: `a swap that takes ${name}`,
      request: transaction({
        to: router3,
        value: ether,
        data: encode('exactInputSingle', [
          {
            tokenIn,
            tokenOut: usdc,
            fee: 500,
            recipient: own,
            amountIn,
            amountOutMinimum: 3n * 10n ** 9n,
            sqrtPriceLimitX96: 0n,
          },
        ]),
      }),
      answers: chainOf({ symbol: 'WETH', decimals: 18 }),
      context: { known: { recipients: [], contracts: [router3] } },
      warns: [],
      shows,
      hides,
    }),
  ),
  ...(
    [
      ['exactInput', encode('exactInput', [{ path: weth, recipient: own, amountIn: ether, amountOutMinimum: 1n }])],
      [
        'exactOutputSingle',
        encode('exactOutputSingle', [
          {
            tokenIn: weth,
            tokenOut: usdc,
            fee: 500,
            recipient: own,
            amountOut: 1n,
            amountInMaximum: ether,
            sqrtPriceLimitX96: 0n,
          },
        ]),
      ],
      ['swapETHForExactTokens', encode('swapETHForExactTokens', [1n, [weth, usdc], own, 9_999_999_999n])],
      ['the universal router’s execute', encode('executeCommands', ['0x0b00', ['0x', '0x'], 9_999_999_999n])],
    ] as const
  ).map(
    ([name, data]): Row => ({
      name: `one payment for ${name} with value`,
      request: transaction({ to: router3, value: ether, data }),
      context: { known: { recipients: [], contracts: [router3] } },
      warns: ['notDecoded'],
      shows: ['| − 1 ETH | Contract interaction | Couldn’t simulate this request |'],
      hides: [/− 1 ETH.*− 1/],
    }),
  ),
]
