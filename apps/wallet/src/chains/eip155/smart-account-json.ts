import { chainIdOf } from '@postern/chains/eip155/adapter'
import type { ApprovalSubject, CaipNetworkId } from '@postern/protocol'
import { hashMessage } from 'viem'
import { safeMessageJson } from './account/safe'
import { addressOf, bytesOf } from './endpoints/quantities'
import { typedDataDigest } from './keys/typed-data'
import { Operation, operationHash, safeOperationJson } from './operations/form'

/**
 * The typed data that the smart account's owner signs, from the approved subject alone. Null for the plain account, and
 * for an operation whose hash is not the approved one.
 */
export function smartAccountJson(subject: ApprovalSubject, networkId: CaipNetworkId): string | null {
  const chainId = chainIdOf(networkId)
  switch (subject.kind) {
    case 'eip155.message':
      return subject.account === 'eoa'
        ? null
        : safeMessageJson(chainId, addressOf(subject.address), hashMessage({ raw: bytesOf(subject.message) }))
    case 'eip155.typedData':
      return subject.account === 'eoa'
        ? null
        : safeMessageJson(chainId, addressOf(subject.address), typedDataDigest(subject.json))
    case 'eip155.userOperation':
    case 'eip155.permissions': {
      const { data: operation } = Operation.safeParse(subject.operation)
      if (operation === undefined || operationHash(operation, chainId) !== subject.hash) return null
      return safeOperationJson(operation, chainId)
    }
    default:
      return null
  }
}
