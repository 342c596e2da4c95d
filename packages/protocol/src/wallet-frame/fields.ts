import * as z from 'zod/mini'

/** Chain number, name or CAIP-2 id (interop §1). */
export const ChainId = z.union([z.string(), z.number()])
export const EmbeddedAccountType = z.enum(['eoa', 'smartAccount'])

export const appPrefix = '@w3m-app/'
export const framePrefix = '@w3m-frame/'
