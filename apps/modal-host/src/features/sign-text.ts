import { parseAnswer } from '@postern/chains/ask-node'
import { hexOf } from '@postern/chains/hex'
import * as z from 'zod/mini'
import type { MoneyHost } from '../snapshot/money'

const Signature = z.string().check(z.regex(/^0x([0-9a-fA-F]{2})+$/))

/** The EVM account's signature over a text (EIP-191; ERC-1271 or ERC-6492 of a contract). Rejects with the wallet's no, and INTERNAL for what is no signature. */
export async function signText(
  request: MoneyHost['request'],
  { address, text }: { readonly address: string; readonly text: string },
): Promise<string> {
  const bytes = new TextEncoder().encode(text)
  return parseAnswer(Signature, await request('eip155', 'personal_sign', [`0x${hexOf(bytes)}`, address]))
}
