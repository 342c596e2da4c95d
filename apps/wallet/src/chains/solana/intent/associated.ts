import { sha256 } from '@noble/hashes/sha2.js'
import { programs } from '@postern/chains/solana/programs'
import { base58 } from '@scure/base'

const ending = new TextEncoder().encode('ProgramDerivedAddress')

/**
 * Whether `account` is the associated token account of an owner and a mint. The address itself proves it, so no
 * endpoint can invent it. Does not check that no key has the address: only the program can open an account at it.
 * Source: https://docs.rs/solana-pubkey, `create_program_address`
 * @param program of the token
 */
export function isAssociated(account: string, owner: string, mint: string, program: string): boolean {
  try {
    const seeds = [owner, program, mint].flatMap((one) => [...base58.decode(one)])
    const end = [...base58.decode(programs.associated), ...ending]
    return Array.from({ length: 256 }, (_, at) => 255 - at).some(
      (bump) => base58.encode(sha256(Uint8Array.from([...seeds, bump, ...end]))) === account,
    )
  } catch {
    return false
  }
}
