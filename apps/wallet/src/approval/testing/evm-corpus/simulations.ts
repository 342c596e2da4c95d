/** Simulations, also those that contradict the request. */
import { evil, friend, own, token } from '../draw-card'
import { nativeLogger, router, usdc, weth } from '../evm-requests/addresses'
import { encode, ether, operation, transaction } from '../evm-requests/calls'
import { chainOf, moves, simulated, simulatedBatch, word } from '../evm-requests/chain'
import type { Row } from './row'

export const rows: readonly Row[] = [
  ...(
    [
      ['a gain', [moves(usdc, evil, own, 10_000_000_000n)]],
      ['nothing', []],
      ['less', [moves(nativeLogger, own, friend, 1n)]],
    ] as const
  ).map(
    ([name, logs]): Row => ({
      name: `a payment of 5 ETH of which the chain simulates ${name}`,
      request: transaction({ to: friend, value: 5n * ether }),
      answers: chainOf({ symbol: 'GOLD', decimals: 6 }, simulated(...logs)),
      context: { known: { recipients: [friend], contracts: [] } },
      warns: [],
      shows: ['| − 5 ETH | Couldn’t simulate this request |'],
      hides: [/\+ 10,000/, 'No changes', 'Simulated on'],
    }),
  ),
  {
    name: 'a transfer of which the chain simulates another token',
    request: transaction({ to: usdc, data: encode('transfer', [evil, 50_000_000_000n]) }),
    answers: chainOf({ symbol: 'GOLD', decimals: 6 }, simulated(moves(token, own, evil, 1n))),
    warns: ['firstTimeRecipient'],
    shows: ['| − 50,000 USDC | Couldn’t simulate this request |'],
  },
  {
    name: 'a swap of which the chain simulates only a gain',
    request: transaction({
      to: router,
      value: ether,
      data: encode('swapExactETHForTokens', [5_000n * 10n ** 6n, [weth, usdc], own, 9_999_999_999n]),
    }),
    answers: chainOf({ symbol: 'GOLD', decimals: 6 }, simulated(moves(usdc, router, own, 10n ** 12n))),
    warns: [],
    shows: ['| − 1 ETH | Swap |'],
    hides: ['+ 1,000,000'],
  },
  {
    name: 'an approval of which the chain simulates a gain',
    request: transaction({ to: usdc, data: encode('approve', [evil, 5_000_000n]) }),
    answers: chainOf({ symbol: 'GOLD', decimals: 6 }, simulated(moves(usdc, evil, own, 10n ** 12n))),
    warns: ['unknownContract'],
    shows: ['| Allow spending | 5 USDC | We can’t tell what will change |'],
    hides: ['+ 1,000,000'],
  },
  {
    name: 'a payment that the chain simulates as it is',
    request: transaction({ to: friend, value: ether }),
    answers: chainOf({ symbol: 'GOLD', decimals: 6 }, simulated(moves(nativeLogger, own, friend, ether))),
    context: { known: { recipients: [friend], contracts: [] } },
    warns: [],
    shows: ['| − 1 ETH | Simulated on Ethereum just now |'],
  },
  {
    name: 'a payment to the owner, of which the chain simulates nothing',
    request: transaction({ to: own, value: ether }),
    answers: chainOf({ symbol: 'GOLD', decimals: 6 }, simulated()),
    warns: [],
    shows: ['No changes to your balances'],
  },
  {
    name: 'a swap that the chain simulates as it is',
    request: transaction({
      to: router,
      value: ether,
      data: encode('swapExactETHForTokens', [5_000n * 10n ** 6n, [weth, usdc], own, 9_999_999_999n]),
    }),
    answers: chainOf(
      { symbol: 'GOLD', decimals: 6 },
      simulated(moves(nativeLogger, own, router, ether), moves(usdc, router, own, 5_010n * 10n ** 6n)),
    ),
    context: { known: { recipients: [], contracts: [router] } },
    warns: [],
    shows: ['| − 1 ETH | + 5,010 USDC | Simulated on Ethereum just now |'],
  },

  ...(
    [
      ['only a gain', [moves(usdc, evil, own, 10_000_000_000n)], '| − 5 ETH | + 10,000 USDC |'],
      ['1 wei of its value', [moves(nativeLogger, own, evil, 1n)], '| − 5 ETH |'],
      ['nothing', [], '| − 5 ETH |'],
      [
        'a token instead of its value',
        [moves(usdc, own, evil, 10_000_000_000n)],
        '| − 5 ETH | − 10,000 USDC | Simulated on Ethereum. There may be other changes |',
      ],
      [
        'four fifths of its value',
        [moves(nativeLogger, own, evil, 4n * ether), moves(usdc, evil, own, 10_000_000_000n)],
        '| − 4 ETH | + 10,000 USDC |',
      ],
    ] as const
  ).map(
    ([name, logs, drawn]): Row => ({
      name: `a call with 5 ETH of which the chain simulates ${name}`,
      request: transaction({ to: evil, value: 5n * ether, data: '0x12345678' }),
      answers: chainOf({ symbol: 'GOLD', decimals: 6 }, simulated(...logs)),
      warns: ['notDecoded'],
      shows: [drawn],
    }),
  ),
  ...(
    [
      ['an approval', usdc, encode('approve', [evil, 50_000_000_000n]), '50,000 USDC'],
      ['a collection', token, encode('setApprovalForAll', [evil, true]), 'Access to your entire collection.'],
      ['an increase', usdc, encode('increaseAllowance', [evil, 50_000_000_000n]), '50,000 USDC'],
      ['a sent permit', usdc, encode('permit', [own, evil, 50_000_000_000n, 9n, 27, word(1), word(2)]), '50,000 USDC'],
    ] as const
  ).flatMap(([name, to, data, shown]): readonly Row[] => [
    {
      name: `${name} of which the chain simulates a small loss`,
      request: transaction({ to, data }),
      answers: chainOf({ symbol: 'GOLD', decimals: 6 }, simulated(moves(nativeLogger, own, evil, 1n))),
      warns: [],
      shows: [/\| − 0.000000000000000001 ETH \| Allow (?:spending|access)/, shown],
    },
    {
      name: `${name} of which the chain simulates a gain, behind a small loss`,
      request: transaction({ to, data }),
      answers: chainOf(
        { symbol: 'GOLD', decimals: 6 },
        simulated(moves(nativeLogger, own, evil, 1n), moves(usdc, evil, own, 10_000_000_000n)),
      ),
      warns: [],
      shows: ['We can’t tell what will change', shown],
      hides: [/\+ 10,000/],
    },
  ]),
  ...(
    [
      ['a payment', [{ to: friend, value: 1n }]],
      [
        'a payment with an approval',
        [
          { to: friend, value: 1n },
          { to: usdc, data: encode('approve', [evil, 5n]) },
        ],
      ],
      [
        'payments to the owner',
        [
          { to: own, value: 1n },
          { to: own, value: 1n },
        ],
      ],
    ] as const
  ).map(
    ([name, calls]): Row => ({
      name: `${name} of which the chain simulates a gain of another token`,
      request: operation(...calls),
      answers: chainOf(
        { symbol: 'GOLD', decimals: 6 },
        simulatedBatch(calls.length, [moves(nativeLogger, own, friend, 1n), moves(usdc, evil, own, 10_000_000_000n)]),
      ),
      warns: [],
      shows: [/Couldn’t simulate this request|We can’t tell what will change/],
      hides: [/\+ 10,000/],
    }),
  ),
  ...(['decreaseAllowance', 'transferFrom'] as const).map(
    (name): Row => ({
      name: `${name} with a value, which that function never takes`,
      request: transaction({
        to: token,
        value: 5n * ether,
        data: encode(name, name === 'transferFrom' ? [friend, evil, 1n] : [evil, 1n]),
      }),
      context: { known: { recipients: [], contracts: [token] } },
      warns: ['notDecoded'],
      shows: ['| − 5 ETH |', 'We couldn’t fully read this request.'],
    }),
  ),

  // A gain that nothing in the request can bring, beside a payment that is simulated as it is
  ...(
    [
      ['a payment to the owner', { to: usdc, data: encode('transfer', [own, 1n]) }],
      ['a smaller allowance', { to: usdc, data: encode('decreaseAllowance', [evil, 1n]) }],
      [
        'a permit of another account',
        { to: weth, data: encode('permit', [friend, evil, 1n, 9n, 27, word(1), word(2)]) },
      ],
      ['another token of a friend', { to: weth, data: encode('transferFrom', [friend, own, 1n]) }],
      ['a transfer between others', { to: usdc, data: encode('transferFrom', [friend, evil, 1n]) }],
      [
        'a swap for another token',
        { to: router, data: encode('swapExactTokensForTokens', [1n, 1n, [usdc, weth], own, 9_999_999_999n]) },
      ],
    ] as const
  ).map(
    ([name, call]): Row => ({
      name: `a payment of 5 ETH and ${name}, of which the chain simulates a gain`,
      request: operation(call, { to: friend, value: 5n * ether }),
      answers: chainOf(
        { symbol: 'GOLD', decimals: 6 },
        simulatedBatch(2, [moves(nativeLogger, own, friend, 5n * ether), moves(usdc, evil, own, 10n ** 12n)]),
      ),
      context: { known: { recipients: [friend], contracts: [usdc, weth, evil, router] } },
      warns: [],
      shows: [/− 5 ETH/, 'Couldn’t simulate this request'],
      hides: ['+ 1,000,000 USDC'],
    }),
  ),
  {
    name: 'a swap of which the chain simulates also another gain',
    request: transaction({
      to: router,
      value: ether,
      data: encode('swapExactETHForTokens', [5_000n * 10n ** 6n, [weth, usdc], own, 9_999_999_999n]),
    }),
    answers: chainOf(
      { symbol: 'GOLD', decimals: 6 },
      simulated(
        moves(nativeLogger, own, router, ether),
        moves(usdc, router, own, 5_010n * 10n ** 6n),
        moves(token, evil, own, 10n ** 12n),
      ),
    ),
    context: { known: { recipients: [], contracts: [router] } },
    warns: [],
    shows: ['| − 1 ETH | Swap | Couldn’t simulate this request |'],
    hides: ['+ 1,000,000'],
  },
  {
    name: 'tokens of a friend for the owner, which the chain simulates as they are',
    request: operation(
      { to: usdc, data: encode('transferFrom', [friend, own, 7_000_000n]) },
      { to: friend, value: ether },
    ),
    answers: chainOf(
      { symbol: 'GOLD', decimals: 6 },
      simulatedBatch(2, [moves(usdc, friend, own, 7_000_000n), moves(nativeLogger, own, friend, ether)]),
    ),
    context: { known: { recipients: [friend], contracts: [usdc] } },
    warns: [],
    shows: ['+ 7 USDC', '− 1 ETH', 'Simulated on Ethereum'],
  },
]
