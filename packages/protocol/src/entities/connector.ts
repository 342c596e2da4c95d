import * as z from 'zod/mini'

export const ConnectorType = z.enum([
  'EXTERNAL',
  'WALLET_CONNECT',
  'INJECTED',
  'ANNOUNCED',
  'AUTH',
  'MULTI_CHAIN',
  'ID_AUTH',
])
export type ConnectorType = z.infer<typeof ConnectorType>
