import { errors } from '@postern/protocol'
import * as z from 'zod/mini'
import { problem } from '../../platform/http/problem'
import { UpstreamsFailedError } from '../../platform/upstreams/attempt'
import { ChainError } from './chain'
import { OffchainError } from './offchain/follow'

/** @throws {Problem} 502 */
export async function orBadGateway<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof UpstreamsFailedError) throw problem(502, 'network', errors.NETWORK_UNREACHABLE.message)
    if (error instanceof OffchainError) throw problem(502, 'network', error.message)
    if (error instanceof ChainError || error instanceof z.core.$ZodError) {
      throw problem(502, 'network', 'The network gave no answer that makes sense')
    }
    throw error
  }
}
