import { parseUrl } from '@postern/base/parse-url'
import { isRevocation } from '@postern/chains/amount'
import { permit2, tokenAmount } from '@postern/chains/eip155/decode-call'
import { isForEveryNetwork } from '@postern/chains/eip155/domain-network'
import { isSameAddress } from '@postern/chains/same-address'
import { opensSignIn } from '@postern/chains/sign-in-message'
import type { ApprovalRequest, CaipNetworkId } from '@postern/protocol'
import type { SimulatedApproval } from '../chains/eip155/intent/chain'
import { cut } from '../chains/eip155/intent/typed-data'
import { system } from '../chains/solana/intent/accounts'
import { isLookupLabel, newOwnersIn } from '../chains/solana/intent/instruction'
import { advanceNonce } from '../chains/solana/intent/system'
import type { Amount, DescribeContext, Field, IntentStep, Warning } from './intent'
import { isKeyText } from './key-texts'
import { receiversOf } from './receivers'

/** By severity. */
const order: readonly Warning['kind'][] = [
  'domainMismatch',
  'unreadSignIn',
  'otherAccount',
  'wouldFail',
  'tooLong',
  'everyNetwork',
  'givesControl',
  'derivesKey',
  'lookalikeRecipient',
  'givesForNothing',
  'lowMinimum',
  'givesAnyItem',
  'approvesAll',
  'hiddenApproval',
  'unknownRecipient',
  'anyoneCanSpend',
  'mayCarryCollectible',
  'unknownFee',
  'unlimitedApproval',
  'coversBalance',
  'unknownTotal',
  'unusualSighash',
  'unprovenInput',
  'neverExpires',
  'lockedUntil',
  'longExpiry',
  'signInGrants',
  'otherUri',
  'otherNetwork',
  'amountOrItem',
  'unreadCode',
  'notDecoded',
  'pagePaymaster',
  'highFee',
  'unknownContract',
  'firstTimeRecipient',
  'ownFee',
  'speedUp',
  'cancel',
]

export function orderWarnings(warnings: readonly Warning[]): readonly Warning[] {
  const seen = new Set<string>()
  return order
    .flatMap((kind) => warnings.filter((warning) => warning.kind === kind))
    .filter((warning) => {
      const key = JSON.stringify(warning)
      return !seen.has(key) && seen.add(key)
    })
}

/**
 * Warnings that follow from the steps.
 *
 * 1. A sign-in for another domain, scheme, account or URI. A statement may imitate the URI line, so each such line is
 *    checked.
 * 2. Unlimited allowances and approvals of everything, not their revocation. Zero revokes an amount, not an item.
 * 3. Contracts that the user has not called, and receivers (`receiversOf`) that got nothing from the user before; never
 *    the user's own addresses.
 * 4. Accounts that another address would or may control, by an unread call of a smart account to itself.
 * 5. A recipient that looks like an earlier one or the owner's.
 * 6. A permission gets all warnings of the equal `approve`.
 * 7. Unread typed data, even of a known contract; and data that name no network.
 * 8. An order that brings the owner nothing or most to others, that its contract need not keep, or whose taker chooses
 *    the item; and a swap for another address.
 * 9. The code of a new contract.
 * 10. A sign-in with an ability (ReCap) or an unreadable line. A smart account's sign-in for another or an unclear
 *     network; a plain account's only for an unclear one: its key signs in everywhere, and many sites always write 1.
 * 11. Each instruction that is not known to be harmless.
 * 12. A recipient whose address only the chain knows.
 * 13. A message of bytes, which another account may accept as its transaction; and a text with the words of a sign-in.
 * 14. A text or typed data whose signature is a key.
 */
export function warningsOf(
  { origin, blocked, subject, networkId }: ApprovalRequest,
  steps: readonly IntentStep[],
  { own, known, tokens }: Pick<DescribeContext, 'own' | 'known' | 'tokens'>,
): readonly Warning[] {
  const listed = (tokens ?? []).map(({ address }) => address)
  const includes = (list: readonly string[], address: string) => list.some((one) => isSameAddress(one, address))
  const contract = (address: string): readonly Warning[] =>
    isLookupLabel(address) ? recipient(address) : used(address)
  const used = (address: string): Warning[] =>
    isAddress(address) && includes(known.contracts, address) ? [] : [{ kind: 'unknownContract', contract: address }]
  const recipient = (address: string): Warning[] => {
    if (isLookupLabel(address)) return [{ kind: 'unknownRecipient', recipient: address }]
    // A bare script is not an address.
    if (!isAddress(address)) return [{ kind: 'notDecoded' }]
    if (includes(own, address) || includes(known.recipients, address)) return []
    const like = (list: readonly string[]) => list.find((one) => isLookalike(one, address))
    const [mine, earlier] = [like(own), like(known.recipients)]
    return [
      ...(mine === undefined
        ? []
        : [{ kind: 'lookalikeRecipient' as const, recipient: address, earlier: mine, isOwn: true as const }]),
      ...(earlier === undefined ? [] : [{ kind: 'lookalikeRecipient' as const, recipient: address, earlier }]),
      { kind: 'firstTimeRecipient', recipient: address },
    ]
  }
  // Early collections take an item with `transfer`. With decimals, and on Solana, it is an amount.
  const uncounted = ({ token, tokenId, decimals }: Amount): readonly Warning[] =>
    networkId.startsWith('eip155:') && token !== undefined && tokenId === undefined && decimals === undefined
      ? [{ kind: 'amountOrItem', token }]
      : []
  const allowance = (spender: string, amount: Amount): readonly Warning[] => [
    ...(amount.unlimited ? [{ kind: 'unlimitedApproval' as const, spender }] : []),
    ...(amount.coversBalance && !amount.unlimited ? [{ kind: 'coversBalance' as const, spender }] : []),
    ...unsettled(amount),
    ...(isRevocation(spender, amount) ? [] : contract(spender)),
  ]
  const ofStep = (step: IntentStep): readonly Warning[] => [
    ...ofKind(step),
    ...receiversOf(step).flatMap((address) => recipient(address)),
    ...('domain' in step && typeof step.domain === 'object' ? ofDomain(step.domain) : []),
  ]
  const ofKind = (step: IntentStep): readonly Warning[] => {
    switch (step.kind) {
      case 'signIn':
        if (blocked === 'DOMAIN_MISMATCH' || step.domain.toLowerCase() !== hostOf(origin)) {
          const domain = step.scheme === undefined ? step.domain : `${step.scheme}://${step.domain}`
          return [{ kind: 'domainMismatch', domain, origin }]
        }
        return [
          ...('address' in subject && !isSameAddress(step.account, subject.address)
            ? [{ kind: 'otherAccount' as const, named: step.account, signer: subject.address }]
            : []),
          ...urisOf(step.fields)
            .filter((uri) => parseUrl(uri)?.origin !== origin)
            .map((uri) => ({ kind: 'otherUri' as const, uri, origin })),
          ...otherChainIds(step.fields, { networkId, isPlain: 'account' in subject && subject.account === 'eoa' }).map(
            (chainId) => ({ kind: 'otherNetwork' as const, chainId }),
          ),
          ...(step.statement !== undefined && isKeyText(step.statement) ? [{ kind: 'derivesKey' as const }] : []),
          ...(step.grants === undefined ? [] : [{ kind: 'signInGrants' as const }]),
          ...(step.grants?.some(({ abilities }) => abilities === null) || step.fields.some(({ name }) => name === '')
            ? [{ kind: 'notDecoded' as const }]
            : []),
        ]
      case 'message':
        return [
          ...(step.isText && isKeyText(step.text) ? [{ kind: 'derivesKey' as const }] : []),
          ...(blocked !== undefined || (step.isText && !opensSignIn(step.text))
            ? []
            : [{ kind: 'notDecoded' as const }]),
        ]
      case 'approve':
        return [...allowance(step.spender, step.amount), ...expiring(step.expiry)]
      case 'permit':
        return [
          ...allowance(step.spender, step.amount),
          ...(isRevocation(step.spender, step.amount) ? [] : expiring(lastUseOf(step))),
        ]
      case 'permission':
        return step.action === 'revoke' || step.signer === undefined || step.amount === undefined
          ? []
          : [...allowance(step.signer, step.amount), ...expiring(step.expiry)]
      case 'increase':
        return [
          ...allowance(step.spender, step.total ?? step.amount),
          ...contract(step.spender),
          ...(step.total === undefined ? [{ kind: 'unknownTotal' as const, spender: step.spender }] : []),
        ]
      case 'order':
        return [
          ...contract(step.contract),
          ...unfair(step, (to) => includes(own, to)),
          ...(step.gives.some(({ anyItem }) => anyItem !== undefined) ? [{ kind: 'givesAnyItem' as const }] : []),
          ...expiring(step.expiry),
        ]
      case 'approveAll':
        return step.granted ? [{ kind: 'approvesAll', spender: step.spender }, ...contract(step.spender)] : []
      case 'transfer':
        return [...unsettled(step.amount), ...uncounted(step.amount), ...expiring(step.deadline)]
      case 'create':
        return [{ kind: 'unreadCode' }]
      case 'swap':
        return [
          ...contract(step.contract),
          ...(includes(own, step.recipient) ? [] : [{ kind: 'givesForNothing' as const, of: 'swap' as const }]),
        ]
      case 'call':
        return [
          ...contract(step.contract),
          ...(step.controllers ?? []).map((to) => ({ kind: 'givesControl' as const, to })),
          ...(step.mayGiveControl ? [{ kind: 'givesControl' as const }] : []),
          // An unlisted contract can give a function any name.
          ...(step.isPlain || (step.name !== undefined && includes(listed, step.contract))
            ? []
            : [{ kind: 'notDecoded' as const }]),
        ]
      case 'instruction': {
        const newOwners = newOwnersIn(step.fields)
        return [
          ...(step.name === undefined ? contract(step.program) : []),
          ...(step.program === system && step.name === advanceNonce ? [{ kind: 'neverExpires' as const }] : []),
          ...newOwners.map((to) => ({ kind: 'givesControl' as const, to })),
          ...(step.isHarmless || newOwners.length > 0 ? [] : [{ kind: 'notDecoded' as const }]),
        ]
      }
      case 'typedData': {
        const verifier = verifierOf(step.domain)
        return [
          ...(textsOf([{ name: '', value: step.primaryType }, ...step.domain, ...step.fields]).some(isKeyText)
            ? [{ kind: 'derivesKey' as const }]
            : []),
          ...(isCut(step.fields) || !step.isRead
            ? [{ kind: 'notDecoded' as const, ...(verifier !== undefined && { contract: verifier }) }]
            : []),
          ...(step.expiry === Number.POSITIVE_INFINITY ? [{ kind: 'neverExpires' as const }] : expiring(step.expiry)),
          ...(step.isPromise ? [{ kind: 'givesForNothing' as const, of: 'promise' as const }] : []),
          ...(verifier === undefined ? [] : contract(verifier)),
        ]
      }
      default:
        return []
    }
  }
  const mismatch: readonly Warning[] =
    blocked === 'DOMAIN_MISMATCH' && !steps.some(({ kind }) => kind === 'signIn') ? [{ kind: 'unreadSignIn' }] : []
  return [...mismatch, ...steps.flatMap(ofStep)]
}

/**
 * 1. The owner gets nothing.
 * 2. Others get more than the owner of a currency that the order pays, and over half of what is given in it (less may
 *    be a market's fee).
 */
function unfair(
  { gives, gets }: Extract<IntentStep, { kind: 'order' }>,
  isOwn: (address: string) => boolean,
): readonly Warning[] {
  if (!gets.some(({ amount, to }) => isOwn(to) && amount.raw !== '0')) return [{ kind: 'givesForNothing' }]
  const currencyOf = ({ token, tokenId, anyItem }: Amount) => `${token?.toLowerCase()} ${tokenId} ${anyItem}`
  const sumOf = (amounts: readonly Amount[]) => amounts.reduce((sum, { raw }) => sum + BigInt(raw), 0n)
  const isUnfair = [...new Set(gets.map(({ amount }) => currencyOf(amount)))].some((currency) => {
    const paid = gets.filter(({ amount }) => currencyOf(amount) === currency)
    const toOthers = sumOf(paid.flatMap(({ amount, to }) => (isOwn(to) ? [] : [amount])))
    const toOwner = sumOf(paid.flatMap(({ amount, to }) => (isOwn(to) ? [amount] : [])))
    const given = sumOf(gives.filter((amount) => currencyOf(amount) === currency))
    return toOthers > toOwner && toOthers * 2n > given
  })
  return isUnfair ? [{ kind: 'givesForNothing', of: 'share' }] : []
}

/** Rule 7: a salt that is a network's number was read as a network. */
function ofDomain(domain: readonly Field[]): readonly Warning[] {
  return isForEveryNetwork(domain) ? [{ kind: 'everyNetwork' }] : []
}

export function verifierOf(domain: readonly Field[]): string | undefined {
  const value = domain.find(({ name }) => name === 'verifyingContract')?.value
  return typeof value === 'string' ? value : undefined
}

function unsettled({ token, maybeItem }: Amount): readonly Warning[] {
  return maybeItem === undefined || token === undefined ? [] : [{ kind: 'amountOrItem', token }]
}

/** In seconds. */
const longExpiry = 90 * 24 * 60 * 60

function expiring(expiry: number | undefined): readonly Warning[] {
  return expiry !== undefined && expiry > Date.now() / 1_000 + longExpiry ? [{ kind: 'longExpiry', expiry }] : []
}

/** Every `approve` gives an allowance without an end. */
function lastUseOf({ expiry, deadline }: Extract<IntentStep, { kind: 'permit' }>): number | undefined {
  const ends = [expiry, deadline].flatMap((end) => (end === undefined || end === Number.POSITIVE_INFINITY ? [] : [end]))
  return ends.length === 0 ? undefined : Math.max(...ends)
}

/** May change balances without a Transfer event. */
export const isCall = (step: IntentStep): boolean => step.kind === 'call' || step.kind === 'create'

/** Allowances that no step names, by spender, token and amount. */
export function approvalWarnings(
  approvals: readonly SimulatedApproval[],
  steps: readonly IntentStep[],
): readonly Warning[] {
  const isNamed = ({ spender, token, amount, tokenId }: SimulatedApproval) =>
    steps.some((step) => {
      const isToken = (named: string | undefined) => named !== undefined && isSameAddress(named, token)
      switch (step.kind) {
        case 'approveAll':
          return amount === undefined && step.granted && isSameAddress(step.spender, spender) && isToken(step.token)
        case 'increase':
          return (
            amount !== undefined &&
            isSameAddress(step.spender, spender) &&
            isToken(step.amount.token) &&
            amount <= BigInt(step.total?.raw ?? 0)
          )
        case 'approve':
        case 'permit': {
          if (amount === undefined || !isSameAddress(step.spender, spender) || !isToken(step.amount.token)) return false
          if (step.amount.tokenId !== undefined) return tokenId !== undefined && BigInt(step.amount.tokenId) === tokenId
          // What may be an amount or an item counts as both, except zero.
          const named = BigInt(step.amount.raw)
          return named > 0n && (tokenId === undefined ? amount <= named : tokenId === named)
        }
        case 'permission':
          return (
            step.action === 'grant' &&
            isSameAddress(spender, permit2) &&
            isToken(step.amount?.token) &&
            amount !== undefined &&
            tokenAmount('', amount).unlimited !== true
          )
        default:
          return false
      }
    })
  return approvals
    .filter((approval) => !isNamed(approval))
    .map(({ spender, amount }) => ({ kind: amount === undefined ? 'approvesAll' : 'hiddenApproval', spender }))
}

/** Labels and scripts cannot be compared. */
function isAddress(text: string): boolean {
  return /^[0-9a-zA-Z]+$/.test(text)
}

function isCut(fields: readonly Field[]): boolean {
  return fields.some(({ name, value }) => name === cut || (typeof value !== 'string' && isCut(value)))
}

/** Users compare the first and last four characters (spec §9). */
function isLookalike(earlier: string, address: string): boolean {
  const [a, b] = [earlier.toLowerCase(), address.toLowerCase()]
  const skipped = a.startsWith('0x') ? 2 : 0
  return a !== b && a.slice(0, skipped + 4) === b.slice(0, skipped + 4) && a.slice(-4) === b.slice(-4)
}

/** The text may be in a name, or in several fields. */
function textsOf(fields: readonly Field[]): readonly string[] {
  return fields.flatMap(({ name, value }) => [
    name.replace(/([a-z])([A-Z])/g, '$1 $2'),
    ...(typeof value === 'string' ? [value] : textsOf(value)),
  ])
}

/** Other namespaces name their networks in several ways, and have no second network with money. */
function otherChainIds(
  fields: readonly Field[],
  { networkId, isPlain }: { readonly networkId: CaipNetworkId; readonly isPlain: boolean },
): readonly string[] {
  const named = fields.flatMap(({ name, value }) => (name === 'Chain ID' && typeof value === 'string' ? [value] : []))
  const isClear = named.length === 1 && named.every((chainId) => /^[1-9]\d*$/.test(chainId))
  if (!networkId.startsWith('eip155:') || (isPlain && isClear)) return []
  return named.filter((chainId) => `eip155:${chainId}` !== networkId)
}

function urisOf(fields: readonly Field[]): readonly string[] {
  return fields.flatMap(({ name, value }) => (name === 'URI' && typeof value === 'string' ? [value] : []))
}

function hostOf(origin: string): string {
  return parseUrl(origin)?.host ?? ''
}
