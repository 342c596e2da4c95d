/** All operations of the API, for its OpenAPI document. */
import { identityKeys } from '../accounts/routes'
import { siwxOperations } from '../accounts/siwx/operations'
import { walletOperations } from '../accounts/wallet-operations'
import { blockchainOperations } from '../chains/blockchain/blockchain'
import { bundlerOperations } from '../chains/bundler/routes'
import { esploraOperations } from '../chains/esplora/routes'
import { rpcOperations } from '../chains/rpc/routes'
import type { Operation } from '../platform/http/operation'
import { projectOperations } from '../projects/routes'
import { analyticsOperations } from './analytics/routes'
import { directoryOperations } from './directory/routes'
import { healthOperations } from './health'
import { openApiDocument } from './openapi'

export const operations: readonly Operation[] = [
  ...healthOperations,
  openApiDocument,
  ...projectOperations,
  ...analyticsOperations,
  ...directoryOperations,
  ...rpcOperations,
  ...esploraOperations,
  ...blockchainOperations,
  ...siwxOperations,
  identityKeys,
  ...walletOperations,
  ...bundlerOperations,
]
