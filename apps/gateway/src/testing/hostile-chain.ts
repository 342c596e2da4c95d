/**
 * An EVM chain whose contracts return as much as their gas allows: 12 MB without a limit, 1.4 MB for a million gas.
 * Batches above 10 MB fail, as at an upstream. No Multicall3.
 */
import { type Address, type Hex, isAddressEqual, isHex } from 'viem'
import * as z from 'zod/mini'
import type { Chain } from '../chains/blockchain/chain'
import { UpstreamsFailedError } from '../platform/upstreams/attempt'
import type { RpcAnswer, RpcCall } from '../platform/upstreams/rpc'

export type HostileChain = {
  /** Null: reverts; `limit`: the upstream refuses. */
  readonly contract: (to: Address, data: Hex) => Hex | 'flood' | 'limit' | null
  /** By method name. */
  readonly results?: Readonly<Record<string, (params: unknown) => unknown>>
  /** Exchanges until the chain is unreachable. Default: all. */
  readonly exchanges?: number
}

const maxResponseBytes = 10_485_760
const flood: Hex = `0x${'ff'.repeat(6_000_000)}`
const boundedFlood: Hex = `0x${'ff'.repeat(700_000)}`
const Hexadecimal = z.custom<Hex>((value) => isHex(value))
const EthCall = z.tuple([z.object({ to: Hexadecimal, data: Hexadecimal, gas: z.optional(Hexadecimal) })], z.unknown())
const reverted: RpcAnswer = { error: { code: 3, message: 'execution reverted' } }
const limited: RpcAnswer = { error: { code: -32_005, message: 'limit exceeded' } }

export function hostileChain({ contract, results = {}, exchanges }: HostileChain): Chain {
  let callCount = 0
  function answer({ method, params }: RpcCall): RpcAnswer {
    if (method === 'eth_chainId') return { result: '0x1' }
    if (method !== 'eth_call') return { result: results[method]?.(params) }
    const [{ to, data, gas }] = EthCall.parse(params)
    const said = contract(to, data)
    if (said === null) return reverted
    if (said === 'limit') return limited
    if (said !== 'flood') return { result: said }
    return { result: gas === undefined || BigInt(gas) > 1_000_000n ? flood : boundedFlood }
  }
  return {
    urls: ['https://chain.example/'],
    upstreams: {
      async exchange(_urls, calls) {
        callCount += 1
        if (exchanges !== undefined && callCount > exchanges) throw new UpstreamsFailedError('no connection')
        const answers = calls.map(answer)
        const bytes = answers.reduce((sum, each) => sum + sizeOf(each), 0)
        if (bytes > maxResponseBytes) throw new UpstreamsFailedError('too large')
        return answers
      },
    },
  }
}

function sizeOf(answer: RpcAnswer): number {
  return 'result' in answer && typeof answer.result === 'string' ? answer.result.length : 0
}

export function addressAt(index: number): Address {
  return `0x${index.toString(16).padStart(40, '0')}`
}

export function isOneOf(addresses: readonly Address[], address: Address): boolean {
  return addresses.some((each) => isAddressEqual(each, address))
}
