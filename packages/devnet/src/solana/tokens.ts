import {
  type Address,
  getProgramDerivedAddress,
  type Instruction,
  lamports,
  type ReadonlyUint8Array,
} from '@solana/kit'
import { faucetAccount, sendFromFaucet } from './faucet'
import { type SolanaLedger, toAddress } from './ledger'
import { bytesOf, levyMintBytes, token2022Program } from './token-2022'
import { solanaCollectible, solanaLevyMint, solanaMint, solanaMintDecimals } from './token-ids'

const tokenProgram = toAddress('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
const systemProgram = toAddress('11111111111111111111111111111111')
/** Source: https://github.com/solana-program/associated-token-account */
const associatedTokenProgram = toAddress('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
/** Source: https://developers.metaplex.com/token-metadata */
const metadataProgram = toAddress('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s')

const programOf = (mint: Address) => (mint === solanaLevyMint ? token2022Program : tokenProgram)

export async function associatedTokenAddress(owner: Address, mint: Address): Promise<Address> {
  const [address] = await getProgramDerivedAddress({
    programAddress: associatedTokenProgram,
    seeds: [bytesOf(owner), bytesOf(programOf(mint)), bytesOf(mint)],
  })
  return address
}

/** The faucet may mint without limit. */
export async function createMints(ledger: SolanaLedger): Promise<void> {
  await createMint(ledger, toAddress(solanaMint), solanaMintDecimals, {
    name: 'Solana Devnet Dollar',
    symbol: 'SDUSD',
    uri: '',
  })
  await createMint(ledger, toAddress(solanaCollectible), 0, {
    name: 'Devnet Stamp',
    symbol: 'STAMP',
    uri: "data:application/json,{\"name\":\"Devnet Stamp\",\"image\":\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><circle cx='4' cy='4' r='4' fill='teal'/></svg>\"}",
  })
  const levy = toAddress(solanaLevyMint)
  write(ledger, levy, token2022Program, levyMintBytes(toAddress(faucetAccount().address), levy))
}

type Metadata = { readonly name: string; readonly symbol: string; readonly uri: string }

async function createMint(ledger: SolanaLedger, mint: Address, decimals: number, metadata: Metadata): Promise<void> {
  const authority = toAddress(faucetAccount().address)
  // spl_token::state::Mint: the authority after its flag, the supply, the decimals, "initialized"; no freeze authority.
  const data = new Uint8Array(82)
  data[0] = 1
  data.set(bytesOf(authority), 4)
  data[44] = decimals
  data[45] = 1
  write(ledger, mint, tokenProgram, data)
  const [metadataAddress] = await getProgramDerivedAddress({
    programAddress: metadataProgram,
    seeds: ['metadata', bytesOf(metadataProgram), bytesOf(mint)],
  })
  write(ledger, metadataAddress, metadataProgram, metadataBytes(authority, mint, decimals, metadata))
}

function write({ svm }: SolanaLedger, address: Address, programAddress: Address, data: Uint8Array) {
  const rent = svm.minimumBalanceForRentExemption(BigInt(data.length))
  svm.setAccount({
    address,
    programAddress,
    data,
    executable: false,
    lamports: lamports(rent),
    space: BigInt(data.length),
  })
}

/** Fixed. Source: MAX_METADATA_LEN of mpl-token-metadata. */
const metadataLength = 607

/** Borsh; texts are padded. Source: `Metadata` of https://github.com/metaplex-foundation/mpl-token-metadata */
function metadataBytes(authority: Address, mint: Address, decimals: number, { name, symbol, uri }: Metadata) {
  const padded = (text: string, length: number) => {
    const bytes = new Uint8Array(4 + length)
    new DataView(bytes.buffer).setUint32(0, length, true)
    bytes.set(new TextEncoder().encode(text), 4)
    return bytes
  }
  const isCollectible = decimals === 0
  const parts: ReadonlyUint8Array[] = [
    // MetadataV1.
    Uint8Array.of(4),
    bytesOf(authority),
    bytesOf(mint),
    padded(name, 32),
    padded(symbol, 10),
    padded(uri, 200),
    // No royalty, no creators, not sold, mutable, no edition nonce; the token standard; no collection, no uses.
    Uint8Array.of(0, 0, 0, 0, 1, 0),
    Uint8Array.of(1, isCollectible ? 0 : 2),
    Uint8Array.of(0, 0),
  ]
  const data = new Uint8Array(metadataLength)
  let at = 0
  for (const part of parts) {
    data.set(part, at)
    at += part.length
  }
  return data
}

/** In base units. Creates the associated token account if needed. Returns the signature. */
export async function mintTo(ledger: SolanaLedger, mintText: string, owner: Address, amount: bigint): Promise<string> {
  const mint = toAddress(mintText)
  const program = programOf(mint)
  const faucet = toAddress(faucetAccount().address)
  const account = await associatedTokenAddress(owner, mint)
  const createIdempotent: Instruction = {
    programAddress: associatedTokenProgram,
    accounts: [
      { address: faucet, role: 3 },
      { address: account, role: 1 },
      { address: owner, role: 0 },
      { address: mint, role: 0 },
      { address: systemProgram, role: 0 },
      { address: program, role: 0 },
    ],
    data: Uint8Array.of(1),
  }
  // TokenInstruction::MintTo: the number 7, then the amount, little-endian.
  const data = new Uint8Array(9)
  data[0] = 7
  new DataView(data.buffer).setBigUint64(1, amount, true)
  const mints: Instruction = {
    programAddress: program,
    accounts: [
      { address: mint, role: 1 },
      { address: account, role: 1 },
      { address: faucet, role: 2 },
    ],
    data,
  }
  return sendFromFaucet(ledger, [createIdempotent, mints])
}
