import { createRequire } from 'node:module'
import type { Hex } from 'viem'
import * as z from 'zod'

const require = createRequire(import.meta.url)
const Code = z
  .string()
  .regex(/^(0x)?([0-9a-f]{2})+$/)
  .transform((code): Hex => `0x${code.replace(/^0x/, '')}`)
const Creation = z.object({ bytecode: Code })
const Deployed = z.object({ deployedBytecode: Code })

/** @param file path of the artifact, starting with its package. */
export const creationCode = (file: string): Hex => Creation.parse(require(file)).bytecode

/** Replaces the entry point's code for a simulation. Never deployed. */
export const simulationCode = (): Hex =>
  Deployed.parse(require('@account-abstraction/contracts/artifacts/EntryPointSimulations.json')).deployedBytecode
