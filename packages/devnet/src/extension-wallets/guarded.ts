import { invalidParams, toProviderRpcError } from '@postern/evm-wallet/rpc-error'
import { Psbt } from 'bitcoinjs-lib'
import * as z from 'zod/mini'

/** Gives errors a code, like a wallet. */
export async function guarded<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    throw toProviderRpcError(cause)
  }
}

/** Throws -32602. */
export function read<S extends z.core.$ZodType>(schema: S, input: unknown): z.output<S> {
  const parsed = z.safeParse(schema, input)
  if (!parsed.success) throw invalidParams(z.prettifyError(parsed.error))
  return parsed.data
}

/** Throws -32602. */
export function readPsbt(
  bytes: Uint8Array,
  network: NonNullable<ConstructorParameters<typeof Psbt>[0]>['network'],
): Psbt {
  try {
    return Psbt.fromBuffer(bytes, network === undefined ? {} : { network })
  } catch {
    throw invalidParams('The transaction is not a PSBT.')
  }
}
