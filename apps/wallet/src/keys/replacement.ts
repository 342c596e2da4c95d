/** The old wallet's key names the new wallet, so that other devices can follow. */
import { sha256 } from '@noble/hashes/sha2.js'
import { replacementText, type WalletAddresses } from '@postern/protocol'
import { personalMessageSigner, signPersonalMessage } from '../chains/eip155/keys/sign'
import { hexOf, utf8 } from './bytes'
import type { WalletKeys } from './derive'

type Move = { readonly userId: string; readonly from: WalletAddresses; readonly to: WalletAddresses }

export function signReplacement(keys: Pick<WalletKeys, 'eip155'>, move: Move): `0x${string}` {
  return signPersonalMessage(messageOf(move), keys.eip155)
}

export function isReplacementOf(signature: string, move: Move): boolean {
  return personalMessageSigner(messageOf(move), signature)?.toLowerCase() === move.from.eip155.toLowerCase()
}

function messageOf({ userId, from, to }: Move): `0x${string}` {
  return `0x${hexOf(utf8(replacementText({ userHash: hexOf(sha256(utf8(userId))), from, to })))}`
}
