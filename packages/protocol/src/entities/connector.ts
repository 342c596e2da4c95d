import * as z from 'zod/mini'
import { Namespace } from '../caip'

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

/** See spec §3. `chain`: its namespace. */
export const Connector = z.strictObject({
  id: z.string().check(z.minLength(1), z.maxLength(256)),
  name: z.string(),
  type: ConnectorType,
  chain: Namespace,
  imageId: z.optional(z.string()),
})
export type Connector = z.infer<typeof Connector>
