import { parseParams } from '@postern/protocol/validation/params'
import { wellFormed } from '@postern/protocol/validation/well-formed'
/** personal_sign and eth_signTypedData_v4, with either account. */

import { signInDomain } from '@postern/chains/sign-in-message'
import { type ApprovalSubject, ownTextBeginnings } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { type Hex, hashMessage, hexToBytes, size, stringToHex } from 'viem'
import * as z from 'zod/mini'
import type { ChainContext, PreparedRequest } from '../../../contract'
import { type Accounts, type ChosenAccount, chooseAccount, ownAccount } from '../account/accounts'
import { safeAddress, safeMessageJson, withDeployment } from '../account/safe'
import { hasCode } from '../account/smart-accounts'
import { chainOf } from '../endpoints/endpoints'
import { addressOf, bytesOf, isHexBytes } from '../endpoints/quantities'
import { typedDataDigest } from '../keys/typed-data'
import { fixTypedData } from './typed-data'

type MessageSubject = Extract<ApprovalSubject, { kind: 'eip155.message' }>
type TypedDataSubject = Extract<ApprovalSubject, { kind: 'eip155.typedData' }>

const maxMessageLength = 262_144
const Text = z.string().check(z.maxLength(maxMessageLength), z.regex(wellFormed))
const PersonalSign = z.tuple([Text, Text], z.unknown())
const SignTypedData = z.tuple([z.unknown(), z.unknown()], z.unknown())

/**
 * Prepares a personal_sign request.
 *
 * 1. One of the wallet's addresses, in either position (some libraries put it first), names the account that signs.
 * 2. A hex message is those bytes; any other is its UTF-8. Half a surrogate pair is INVALID_PARAMS.
 * 3. A sign-in message for another domain is prepared as blocked.
 * 4. The plain account signs no bare hash: with another last byte, the smart account accepts the signature (Safe's
 *    `eth_sign`).
 * 5. The wallet signs no text of its own (shares, recovery) for a site.
 */
export function prepareMessage(params: unknown, accounts: Accounts, { origin }: ChainContext): PreparedRequest {
  const [first, second] = parseParams(PersonalSign, params)
  const [account, text] = isOwn(accounts, second) ? [second, first] : [first, second]
  const { type, address } = chooseAccount(accounts, account)
  const message = isHexBytes(text) ? text : stringToHex(text)
  const bytes = hexToBytes(message)
  if (type === 'eoa' && isBareHash(bytes))
    throw new Failure('INVALID_PARAMS', { message: 'A bare hash is not signed as a message' })
  const readable = new TextDecoder().decode(bytes)
  if (ownTextBeginnings.some((beginning) => readable.startsWith(beginning.trimEnd())))
    throw new Failure('INVALID_PARAMS', { message: 'This text is signed by the wallet for itself alone' })
  const subject: MessageSubject = { kind: 'eip155.message', address, account: type, message }
  const isForeign = signInDomain(readable, origin) === 'foreign'
  return { subject, ...(isForeign && { blocked: 'DOMAIN_MISMATCH' }) }
}

/** 32 bytes, except plain letters and digits, which no hash can be ground to. */
function isBareHash(bytes: Uint8Array): boolean {
  return bytes.length === 32 && !/^[A-Za-z0-9 -]{32}$/.test(new TextDecoder().decode(bytes))
}

/** Some libraries swap the address and the typed data. */
export function prepareTypedData(params: unknown, accounts: Accounts): PreparedRequest {
  const [first, second] = parseParams(SignTypedData, params)
  const [named, data] = isOwn(accounts, second) ? [second, first] : [first, second]
  const { type, address } = chooseAccount(accounts, typeof named === 'string' ? named : '')
  const json = fixTypedData(data, { chainId: accounts.chainId, safe: safeAddress(accounts.eoa) })
  const subject: TypedDataSubject = { kind: 'eip155.typedData', address, account: type, json }
  return { subject }
}

function isOwn(accounts: Accounts, value: unknown): boolean {
  return ownAccount(accounts, value) !== null
}

export async function executeMessage(subject: MessageSubject, accounts: Accounts, context: ChainContext): Promise<Hex> {
  const message = bytesOf(subject.message)
  const account = signerOf(subject, accounts)
  if (account.type === 'eoa') return bytesOf(await context.sign({ kind: 'eip155.message', message }))
  return signAsSmartAccount(hashMessage({ raw: message }), account, accounts, context)
}

export async function executeTypedData(
  { json, ...subject }: TypedDataSubject,
  accounts: Accounts,
  context: ChainContext,
): Promise<Hex> {
  const account = signerOf(subject, accounts)
  if (account.type === 'eoa') return bytesOf(await context.sign({ kind: 'eip155.typedData', json }))
  return signAsSmartAccount(typedDataDigest(json), account, accounts, context)
}

/** The subject's account: the user may have switched since. */
function signerOf(
  { address, account }: Pick<MessageSubject, 'address' | 'account'>,
  accounts: Accounts,
): ChosenAccount {
  const own = ownAccount(accounts, address)
  if (own === null || own.type !== account) throw new Failure('UNAUTHORIZED')
  return own
}

/** ERC-1271 over the account's own form of the hash; ERC-6492 until deployed. */
async function signAsSmartAccount(
  hash: Hex,
  { address }: ChosenAccount,
  { chainId, eoa }: Accounts,
  context: ChainContext,
): Promise<Hex> {
  const json = safeMessageJson(chainId, address, hash)
  const [signature, isDeployed] = await Promise.all([
    signTyped(json, context),
    hasCode(chainOf(context), addressOf(address)),
  ])
  return isDeployed ? signature : withDeployment(eoa, signature)
}

export async function signTyped(json: string, { sign }: ChainContext): Promise<Hex> {
  const signature = bytesOf(await sign({ kind: 'eip155.typedData', json }))
  if (size(signature) !== 65 || !/(1b|1c)$/i.test(signature)) throw new Failure('INTERNAL')
  return signature
}
