/** Counts of items, and names of tokens. */
import { evil, own, token } from '../draw-card'
import { nativeLogger, usdc } from '../evm-requests/addresses'
import { encode, ether, transaction } from '../evm-requests/calls'
import { chainOf, dollars, moves, simulated, singleTopic, topic, unknownToken, word } from '../evm-requests/chain'
import type { Row } from './row'

/** A swap of 1 ETH for what `symbol` is the name of. */
const bringing = (symbol: string, decimals: number, raw: bigint): Pick<Row, 'request' | 'answers'> => ({
  request: transaction({ to: evil, value: ether, data: '0x12345678' }),
  answers: chainOf(
    { symbol, decimals },
    simulated(moves(nativeLogger, own, evil, ether), moves(token, evil, own, raw)),
  ),
})

export const rows: readonly Row[] = [
  ...[0n, 1n, 1_000_000n].map(
    (count): Row => ({
      name: `ERC-1155: ${count} pieces`,
      request: transaction({ to: token, data: encode('safeTransferFrom', [own, evil, 5n, count, '0x']) }),
      answers: dollars,
      warns: ['firstTimeRecipient'],
      shows: [count === 1n ? '− #5 ' : count === 0n ? '− 0 × #5 ' : '− 1,000,000 × #5 '],
    }),
  ),
  {
    name: 'ERC-1155: a million pieces, simulated',
    request: transaction({ to: evil, data: '0x12345678' }),
    answers: chainOf(
      { symbol: 'GOLD', decimals: 0 },
      simulated({
        address: token,
        topics: [singleTopic, topic(evil), topic(own), topic(evil)],
        data: `${word(5)}${word(1_000_000).slice(2)}`,
      }),
    ),
    warns: ['notDecoded'],
    shows: [`− 1,000,000 × #5 ${unknownToken}`],
  },

  ...(
    [
      ['ETH', 18, 10n * ether, '+ 10'],
      ['USD\u0421', 6, 10_000_000n, '+ 10'],
      ['\u0415\u0422\u041D', 18, 10n * ether, '+ 10'],
      ['000 USDC', 0, 1n, '+ 1'],
      ['.99 ETH', 0, 1n, '+ 1'],
      ['\u3164', 0, 1n, '+ 1'],
      ['USDC\u3164', 6, 10_000_000n, '+ 10'],
      ['ETH\u2800', 18, 10n * ether, '+ 10'],
      ['claim-usdc.com', 0, 1n, '+ 1'],
      ['\u05D0 100 ETH', 0, 1n, '+ 1'],
      ['usdc', 6, 5_000_000_000n, '+ 5,000'],
      ['P0L', 18, 10n * ether, '+ 10'],
    ] as const
  ).map(
    ([symbol, decimals, raw, drawn]): Row => ({
      name: `a token that calls itself “${symbol}”`,
      ...bringing(symbol, decimals, raw),
      warns: ['notDecoded', 'unknownContract'],
      shows: ['− 1 ETH |', `${drawn} ${unknownToken} |`],
    }),
  ),
  {
    name: 'a token with a name of its own that comes in',
    ...bringing('GOLD', 6, 10_000_000n),
    warns: ['notDecoded'],
    shows: [`+ 10 GOLD ${unknownToken} |`],
  },
  {
    name: 'a token without decimals or symbol that comes in',
    request: transaction({ to: evil, data: '0x12345678' }),
    answers: { ...simulated(moves(token, evil, own, 77n)) },
    warns: ['notDecoded'],
    shows: [`+ 77 (base units) ${unknownToken} |`],
  },
  {
    name: 'a token that the gateway’s list calls USDC at another address',
    ...bringing('USDC', 6, 10_000_000n),
    context: { tokens: [{ address: token, symbol: 'USDC', decimals: 6 }] },
    warns: ['notDecoded'],
    shows: [`+ 10 ${unknownToken} |`],
  },

  // `transfer` of early collections (CryptoKitties) names an item
  ...(
    [
      [
        'that says nothing of decimals',
        { ...dollars, eth_call: () => Promise.reject(new Error('execution reverted')) },
      ],
      ['of a chain that does not answer', undefined],
    ] as const
  ).map(
    ([name, answers]): Row => ({
      name: `number 5 of a token ${name}`,
      request: transaction({ to: token, data: encode('transfer', [evil, 5n]) }),
      ...(answers !== undefined && { answers }),
      warns: ['amountOrItem', 'firstTimeRecipient'],
      shows: ['An amount or a single item?', '− 5 (base units)'],
    }),
  ),
  ...(
    [
      ['with decimals', token, dollars],
      ['of the build’s list', usdc, undefined],
    ] as const
  ).map(
    ([name, to, answers]): Row => ({
      name: `no warning: an amount of a token ${name}`,
      request: transaction({ to, data: encode('transfer', [evil, 5n]) }),
      ...(answers !== undefined && { answers }),
      warns: [],
      shows: ['− 0.000005'],
      hides: ['single item'],
    }),
  ),
]
