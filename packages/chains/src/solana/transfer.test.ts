import { base58, base64 } from '@scure/base'
import {
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  createTransactionMessage,
  getAddressEncoder,
  getBase64EncodedWireTransaction,
  getProgramDerivedAddress,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import type { TransactionInstruction } from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { associatedAccount, programAddress } from './program-address'
import { programs } from './programs'
import { parseTransaction } from './transaction'
import { openAccount, transferLamports, transferTokens, writeTransaction } from './transfer'

const keyOf = (seed: number) => base58.encode(new Uint8Array(32).fill(seed))
const payer = keyOf(1)
const recipient = keyOf(2)
const mint = keyOf(3)
const recent = keyOf(9)

function byKit(instructions: readonly TransactionInstruction[]): string {
  return pipe(
    createTransactionMessage({ version: 'legacy' }),
    (m) => setTransactionMessageFeePayer(address(payer), m),
    (m) => setTransactionMessageLifetimeUsingBlockhash({ blockhash: blockhash(recent), lastValidBlockHeight: 1n }, m),
    (m) =>
      appendTransactionMessageInstructions(
        instructions.map(({ programId, keys, data }) => ({
          programAddress: address(programId.toBase58()),
          accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
            address: address(pubkey.toBase58()),
            role: isSigner
              ? isWritable
                ? AccountRole.WRITABLE_SIGNER
                : AccountRole.READONLY_SIGNER
              : isWritable
                ? AccountRole.WRITABLE
                : AccountRole.READONLY,
          })),
          data,
        })),
        m,
      ),
    (m) => getBase64EncodedWireTransaction(compileTransaction(m)),
  )
}

/** What a message does, regardless of its key order. */
function meaning(transaction: string) {
  const { version, signers, blockhash: hash, instructions } = parseTransaction(transaction)
  return {
    version,
    signers,
    hash,
    instructions: instructions.map(({ data, ...rest }) => ({ ...rest, data: [...data] })),
  }
}

describe('writeTransaction', () => {
  it('matches another library for a transfer', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (lamports) => {
        const instructions = [transferLamports(payer, recipient, lamports)]
        expect(writeTransaction(payer, recent, instructions)).toBe(byKit(instructions))
      }),
    )
  })

  it('matches its account permissions, in any order of accounts, for a token transfer that creates an account', () => {
    const destination = associatedAccount(recipient, mint, programs.token)
    const transfer = {
      program: programs.token,
      mint,
      source: keyOf(4),
      destination,
      owner: payer,
      amount: 5n,
      decimals: 6,
      withheld: null,
    }
    const instructions = [openAccount(payer, recipient, mint, programs.token), transferTokens(transfer)]
    const own = writeTransaction(payer, recent, instructions)
    expect(meaning(own)).toEqual(meaning(byKit(instructions)))
    // Signers and read-only keys by count.
    const header = (text: string) => [...base64.decode(text).slice(65, 68)]
    expect(header(own)).toEqual(header(byKit(instructions)))
  })

  it('includes the transfer fee, which the chain checks', () => {
    const [source, destination] = [keyOf(4), keyOf(5)]
    const transfer = { program: programs.token2022, mint, source, destination, owner: payer, amount: 258n, decimals: 6 }
    expect([...transferTokens({ ...transfer, withheld: 3n }).data]).toEqual(
      // TransferFeeExtension, TransferCheckedWithFee, amount, decimals, fee.
      [26, 1, 2, 1, 0, 0, 0, 0, 0, 0, 6, 3, 0, 0, 0, 0, 0, 0, 0],
    )
    expect(transferTokens({ ...transfer, withheld: 3n }).keys).toEqual(
      transferTokens({ ...transfer, withheld: null }).keys,
    )
  })

  it('rejects a second signer, and amounts out of range', () => {
    expect(() => writeTransaction(payer, recent, [transferLamports(recipient, payer, 1n)])).toThrow()
    expect(() => transferLamports(payer, recipient, -1n)).toThrow()
    expect(() => transferLamports(payer, recipient, 2n ** 64n)).toThrow()
    expect(() => transferLamports(payer, recipient, 1n)).not.toThrow()
    expect(() => writeTransaction(payer, recent, [transferLamports(payer, 'short', 1n)])).toThrow()
  })
})

describe('programAddress', () => {
  it('matches another library, for associated accounts too', async () => {
    for (const seed of [2, 5, 77, 200]) {
      const seeds = [keyOf(seed), programs.token2022, mint]
      const [derived] = await getProgramDerivedAddress({
        programAddress: address(programs.associated),
        seeds: seeds.map((one) => getAddressEncoder().encode(address(one))),
      })
      const bytes = seeds.map((one) => base58.decode(one))
      expect(programAddress(bytes, programs.associated)).toBe(derived)
      expect(associatedAccount(keyOf(seed), mint, programs.token2022)).toBe(derived)
    }
  })
})
