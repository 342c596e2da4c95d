/** Parts that several of the frame's schemas have in common; no contract by themselves. */
import * as z from 'zod/mini'

/** An EVM chain's number, or a name or CAIP-2 id: interop §1 has both. */
export const ChainId = z.union([z.string(), z.number()])
export const EmbeddedAccountType = z.enum(['eoa', 'smartAccount'])

/** What stands before a name: requests, and all that the frame says. */
export const appPrefix = '@w3m-app/'
export const framePrefix = '@w3m-frame/'
