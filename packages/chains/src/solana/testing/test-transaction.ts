import { base58, base64 } from '@scure/base'
import {
  AccountRole,
  address,
  appendTransactionMessageInstruction,
  blockhash,
  compileTransaction,
  createKeyPairFromPrivateKeyBytes,
  createTransactionMessage,
  getAddressFromPublicKey,
  getBase64EncodedWireTransaction,
  getTransactionDecoder,
  partiallySignTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'

export type TestSigner = {
  readonly address: string
  sign(transaction: string): Promise<{ signature: string; transaction: string }>
}

/** `seed` is a number from 1 to 255. */
export async function testSigner(seed: number): Promise<TestSigner> {
  const pair = await createKeyPairFromPrivateKeyBytes(new Uint8Array(32).fill(seed))
  const own = await getAddressFromPublicKey(pair.publicKey)
  return {
    address: own,
    async sign(transaction) {
      const signed = await partiallySignTransaction([pair], getTransactionDecoder().decode(base64.decode(transaction)))
      const signature = signed.signatures[own]
      if (!signature) throw new Error('not signed')
      return {
        signature: base58.encode(Uint8Array.from(signature)),
        transaction: getBase64EncodedWireTransaction(signed),
      }
    },
  }
}

/** Base64. The first signer pays; `note` makes it unique. Default program: Memo. */
export function testTransaction(
  [payer = '', ...others]: readonly string[],
  {
    note = 0,
    program = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
    blockhash: recent = base58.encode(new Uint8Array(32).fill(9)),
  } = {},
): string {
  return pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayer(address(payer), m),
    (m) => setTransactionMessageLifetimeUsingBlockhash({ blockhash: blockhash(recent), lastValidBlockHeight: 1n }, m),
    (m) =>
      appendTransactionMessageInstruction(
        {
          programAddress: address(program),
          accounts: others.map((other) => ({ address: address(other), role: AccountRole.READONLY_SIGNER })),
          data: Uint8Array.of(note),
        },
        m,
      ),
    (m) => getBase64EncodedWireTransaction(compileTransaction(m)),
  )
}
