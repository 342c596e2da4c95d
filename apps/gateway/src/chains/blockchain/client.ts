import { createPublicClient, custom, type PublicClient } from 'viem'
import * as z from 'zod/mini'
import type { RpcAnswer, RpcCall } from '../../platform/upstreams/rpc'
import { type Chain, ChainError, HexText } from './chain'
import type { Follow } from './offchain/follow'

const EthCall = z.tuple([z.object({ to: HexText, data: HexText })], z.unknown())

/**
 * Throws upstream failures unwrapped.
 * @param follow for off-chain lookups (EIP-3668); null disables them.
 * @throws {UpstreamsFailedError}, errors of `follow`, and viem's errors
 */
export async function askByViem<T>(
  chain: Chain,
  question: (client: PublicClient) => Promise<T>,
  follow: Follow | null = null,
): Promise<T> {
  let failure: { readonly error: unknown } | null = null
  const ask = async (call: RpcCall): Promise<RpcAnswer> => {
    const [answer] = await chain.upstreams.exchange(chain.urls, [call])
    if (answer === undefined) throw new ChainError(call.method)
    return answer
  }
  const answerTo = (call: RpcCall): Promise<RpcAnswer> => {
    const read = call.method === 'eth_call' && follow !== null ? EthCall.safeParse(call.params) : null
    if (follow === null || !read?.success) return ask(call)
    const [{ to, data: first }, ...rest] = read.data
    return follow(to, first, (data) => ask({ method: call.method, params: [{ to, data }, ...rest] }))
  }
  const transport = custom(
    {
      async request({ method, params }: { method: string; params?: unknown }) {
        const answer = await answerTo({ method, params }).catch((error: unknown) => {
          failure = { error }
          throw error
        })
        if ('error' in answer) throw answer.error
        return answer.result
      },
    },
    { retryCount: 0 },
  )
  try {
    const answer = await question(createPublicClient({ transport, ccipRead: false }))
    // Some viem actions treat any failure as a negative result.
    throwIf(failure)
    return answer
  } catch (error) {
    throwIf(failure)
    throw error
  }
}

function throwIf(failure: { readonly error: unknown } | null): void {
  if (failure !== null) throw failure.error
}
