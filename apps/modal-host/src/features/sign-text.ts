import { hexOf } from '@postern/chains/hex'
import { parseAnswer } from '@postern/chains/nodes/ask-node'
import * as z from 'zod/mini'
import type { MoneyHost } from '../snapshot/money'

const Signature = z.string().check(z.regex(/^0x([0-9a-fA-F]{2})+$/))

/** Has the wallet sign (EIP-191; ERC-1271 or ERC-6492 for a contract). INTERNAL for a malformed signature. */
export async function signText(
  request: MoneyHost['request'],
  { address, text }: { readonly address: string; readonly text: string },
): Promise<string> {
  const bytes = new TextEncoder().encode(text)
  return parseAnswer(Signature, await request('eip155', 'personal_sign', [`0x${hexOf(bytes)}`, address]))
}
