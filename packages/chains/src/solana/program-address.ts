import { Failure } from '@postern/protocol/failure'
import { PublicKey } from '@solana/web3.js'
import { programs } from './programs'

/** Base58; without private key. */
export function programAddress(seeds: readonly Uint8Array[], program: string): string {
  return PublicKey.findProgramAddressSync([...seeds], publicKey(program))[0].toBase58()
}

export function associatedAccount(owner: string, mint: string, program: string): string {
  const seeds = [owner, program, mint].map((one) => publicKey(one).toBytes())
  return programAddress(seeds, programs.associated)
}

/** @throws {Failure} INVALID_PARAMS */
export function publicKey(address: string): PublicKey {
  try {
    return new PublicKey(address)
  } catch (cause) {
    throw new Failure('INVALID_PARAMS', { cause })
  }
}
