import * as z from 'zod/mini'

/** Groups of the wallet list, in the order of spec §2. `connectorTypeOrder` moves groups to the front. */
export const connectorGroups = [
  'walletConnect',
  'recent',
  'injected',
  'featured',
  'custom',
  'external',
  'recommended',
] as const
export const ConnectorGroup = z.enum(connectorGroups)
export type ConnectorGroup = z.infer<typeof ConnectorGroup>
