/** Answers of an endpoint. */
import { type Answers, own } from '../draw-card'
import { nativeLogger, router, usdc } from './addresses'
import { ether } from './calls'

export const word = (value: bigint | number) => `0x${BigInt(value).toString(16).padStart(64, '0')}`
export const topic = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

function text(value: string): string {
  const bytes = [...new TextEncoder().encode(value)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const padded = bytes.padEnd(Math.max(64, Math.ceil(bytes.length / 64) * 64), '0')
  return `0x${'20'.padStart(64, '0')}${(bytes.length / 2).toString(16).padStart(64, '0')}${padded}`
}

export type Token = {
  readonly symbol: string
  readonly decimals: number
  readonly allowance?: bigint
  readonly balance?: bigint
  readonly supply?: bigint
}

/** A chain on which every address is this token. */
export function chainOf({ symbol, decimals, allowance, balance, supply }: Token, more: Answers = {}): Answers {
  const bySelector: Readonly<Record<string, string | undefined>> = {
    '0x313ce567': word(decimals),
    '0x95d89b41': text(symbol),
    '0x01ffc9a7': word(0),
    '0xdd62ed3e': allowance === undefined ? undefined : word(allowance),
    '0x70a08231': balance === undefined ? undefined : word(balance),
    '0x18160ddd': supply === undefined ? undefined : word(supply),
  }
  return {
    eth_call: ([call]) => {
      const answer = Object.entries(bySelector).find(([selector]) => JSON.stringify(call).includes(selector))?.[1]
      if (answer === undefined) throw new Error('execution reverted')
      return answer
    },
    eth_getCode: () => '0x60',
    eth_gasPrice: () => '0x3b9aca00',
    ...more,
  }
}

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
export const singleTopic = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
export type Log = { readonly address: string; readonly topics: readonly string[]; readonly data: string }

/** `count` calls, of which the first has all logs. */
export const simulatedBatch = (count: number, logs: readonly Log[]): Answers => ({
  eth_simulateV1: () => [
    {
      calls: Array.from({ length: count }, (_, at) => ({
        status: '0x1',
        gasUsed: '0x5208',
        logs: at === 0 ? logs : [],
      })),
    },
  ],
})
export const simulated = (...logs: readonly Log[]): Answers => simulatedBatch(1, logs)
export const moves = (address: string, from: string, to: string, raw: bigint): Log => ({
  address,
  topics: [transferTopic, topic(from), topic(to)],
  data: word(raw),
})

/** A chain that says of each token that it counts items. */
export const itemsOnly: Answers = chainOf(
  { symbol: 'GOLD', decimals: 6 },
  {
    eth_call: ([call]) => (JSON.stringify(call).includes('0x01ffc9a7') ? word(1) : word(6)),
  },
)

export const dollars = chainOf({ symbol: 'GOLD', decimals: 6 })
export const unknownToken = 'unverified token 0x33…333333'

export const swapped = (raw: bigint) =>
  chainOf(
    { symbol: 'GOLD', decimals: 6 },
    simulated(moves(nativeLogger, own, router, ether), moves(usdc, router, own, raw)),
  )
