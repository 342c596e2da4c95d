import { tokenAmount } from '@postern/chains/eip155-decode-call'
import { isRevocation } from '@postern/chains/revocation'
import { isSameAddress } from '@postern/chains/same-address'
import type { ApprovalRequest } from '@postern/protocol'
import type { SimulatedApproval } from './evm-chain'
import type { Amount, DescribeContext, Field, IntentStep, Warning } from './intent'
import { isOrderOrPermit } from './orders'
import { permit2 } from './permissions'
import { system } from './solana-accounts'
import { isLookupLabel, newOwnersIn } from './solana-instruction'
import { advanceNonce } from './solana-system'
import { cut } from './typed-data'

/** By severity; also the display order. */
const order: readonly Warning['kind'][] = [
  'domainMismatch',
  'unreadSignIn',
  'otherAccount',
  'wouldFail',
  'tooLong',
  'givesControl',
  'lookalikeRecipient',
  'givesForNothing',
  'approvesAll',
  'hiddenApproval',
  'unknownRecipient',
  'anyoneCanSpend',
  'unknownFee',
  'unlimitedApproval',
  'coversBalance',
  'unusualSighash',
  'unprovenInput',
  'neverExpires',
  'lockedUntil',
  'longExpiry',
  'signInGrants',
  'otherUri',
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
 * 1. A sign-in for another domain or scheme than the page's; as another account than the one that signs; and one at the
 *    page's domain whose URI is elsewhere. A statement may imitate the URI line, so each such line is checked.
 * 2. Unlimited allowances, and approvals of everything; revoking one gives no warning. Zero revokes an amount, not an
 *    item; what may be either has a warning.
 * 3. Contracts that the user has not called before, and recipients that got nothing from them before; never the user's
 *    own addresses. A known contract is no known recipient.
 * 4. Accounts that another address would control.
 * 5. A recipient with the same first and last characters as an earlier one.
 * 6. A permission gets all warnings of the equal `approve`.
 * 7. Typed data that is not read here, for no contract or one that the user has not called before.
 * 8. An order that brings the owner nothing, and an order or permit that cannot be read.
 * 9. The code of a new contract.
 * 10. A sign-in that lets the site act for the user (ReCap), and one whose permissions cannot be read.
 * 11. Each instruction that is not known to be harmless, with a name or without.
 * 12. A recipient whose address only the chain knows.
 */
export function warningsOf(
  { origin, blocked, subject }: ApprovalRequest,
  steps: readonly IntentStep[],
  { own, known }: Pick<DescribeContext, 'own' | 'known'>,
): readonly Warning[] {
  const includes = (list: readonly string[], address: string) => list.some((one) => isSameAddress(one, address))
  const contract = (address: string): readonly Warning[] =>
    isLookupLabel(address) ? recipient(address) : used(address)
  const used = (address: string): Warning[] =>
    isAddress(address) && includes(known.contracts, address) ? [] : [{ kind: 'unknownContract', contract: address }]
  const recipient = (address: string): Warning[] => {
    if (isLookupLabel(address)) return [{ kind: 'unknownRecipient', recipient: address }]
    // A bare script is no address, however often it was approved.
    if (!isAddress(address)) return [{ kind: 'notDecoded' }]
    if (includes(own, address) || includes(known.recipients, address)) return []
    const earlier = known.recipients.find((one) => isLookalike(one, address))
    return [
      ...(earlier === undefined ? [] : [{ kind: 'lookalikeRecipient' as const, recipient: address, earlier }]),
      { kind: 'firstTimeRecipient', recipient: address },
    ]
  }
  const allowance = (spender: string, amount: Amount): readonly Warning[] => [
    ...(amount.unlimited ? [{ kind: 'unlimitedApproval' as const, spender }] : []),
    ...(amount.coversBalance && !amount.unlimited ? [{ kind: 'coversBalance' as const, spender }] : []),
    ...unsettled(amount),
    ...(isRevocation(spender, amount) ? [] : contract(spender)),
  ]
  const isRead = steps.some(({ kind }) => kind === 'permit' || kind === 'order')
  const isUnreadData = ({ primaryType, domain }: Extract<IntentStep, { kind: 'typedData' }>) =>
    !isRead && (isOrderOrPermit(primaryType) || !domain.some(({ name }) => name === 'verifyingContract'))
  const ofStep = (step: IntentStep): readonly Warning[] => {
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
            .filter((uri) => !URL.canParse(uri) || new URL(uri).origin !== origin)
            .map((uri) => ({ kind: 'otherUri' as const, uri, origin })),
          ...(step.grants === undefined ? [] : [{ kind: 'signInGrants' as const }]),
          ...(step.grants?.some(({ abilities }) => abilities === null) ? [{ kind: 'notDecoded' as const }] : []),
        ]
      case 'approve':
      case 'permit':
        return [...allowance(step.spender, step.amount), ...expiring(step.expiry)]
      case 'permission':
        return step.action === 'revoke' || step.signer === undefined || step.amount === undefined
          ? []
          : [...allowance(step.signer, step.amount), ...expiring(step.expiry)]
      case 'order':
        return [
          ...contract(step.contract),
          ...(step.gets.some(({ amount, to }) => includes(own, to) && amount.raw !== '0')
            ? []
            : [{ kind: 'givesForNothing' as const }]),
        ]
      case 'approveAll':
        return step.granted ? [{ kind: 'approvesAll', spender: step.spender }, ...contract(step.spender)] : []
      case 'transfer':
        return [...unsettled(step.amount), ...recipient(step.to)]
      case 'create':
        return [{ kind: 'unreadCode' }]
      case 'swap':
        return [...contract(step.contract), ...(includes(own, step.recipient) ? [] : recipient(step.recipient))]
      case 'call':
        return [...contract(step.contract), ...(step.name === undefined ? [{ kind: 'notDecoded' as const }] : [])]
      case 'instruction': {
        const newOwners = newOwnersIn(step.fields)
        return [
          ...(step.name === undefined ? contract(step.program) : []),
          ...(step.program === system && step.name === advanceNonce ? [{ kind: 'neverExpires' as const }] : []),
          ...newOwners.map((to) => ({ kind: 'givesControl' as const, to })),
          ...(step.isHarmless || newOwners.length > 0 ? [] : [{ kind: 'notDecoded' as const }]),
        ]
      }
      case 'typedData':
        return [
          ...(isCut(step.fields) || isUnreadData(step) ? [{ kind: 'notDecoded' as const }] : []),
          ...step.domain.flatMap(({ name, value }) =>
            name === 'verifyingContract' && typeof value === 'string' ? contract(value) : [],
          ),
        ]
      case 'outputs':
        return step.outputs.filter((output) => !output.own).flatMap(({ to }) => recipient(to))
      default:
        return []
    }
  }
  const mismatch: readonly Warning[] =
    blocked === 'DOMAIN_MISMATCH' && !steps.some(({ kind }) => kind === 'signIn') ? [{ kind: 'unreadSignIn' }] : []
  return [...mismatch, ...steps.flatMap(ofStep)]
}

function unsettled({ token, maybeItem }: Amount): readonly Warning[] {
  return maybeItem === undefined || token === undefined ? [] : [{ kind: 'amountOrItem', token }]
}

/** In seconds. */
const longExpiry = 90 * 24 * 60 * 60

function expiring(expiry: number | undefined): readonly Warning[] {
  return expiry !== undefined && expiry > Date.now() / 1_000 + longExpiry ? [{ kind: 'longExpiry', expiry }] : []
}

/** Its changes may not show in any Transfer: a call that is not read here, or such as `withdraw`; a new contract. */
export const isCall = (step: IntentStep): boolean => step.kind === 'call' || step.kind === 'create'

/** Allowances that the simulation shows and no step names: with the same spender, token and at least the amount. */
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
        case 'approve':
        case 'permit': {
          if (amount === undefined || !isSameAddress(step.spender, spender) || !isToken(step.amount.token)) return false
          if (step.amount.tokenId !== undefined) return tokenId !== undefined && BigInt(step.amount.tokenId) === tokenId
          // What may be either counts as both, except zero.
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

/** Not a label in brackets or a script, which cannot be compared. */
function isAddress(text: string): boolean {
  return /^[0-9a-zA-Z]+$/.test(text)
}

function isCut(fields: readonly Field[]): boolean {
  return fields.some(({ name, value }) => name === cut || (typeof value !== 'string' && isCut(value)))
}

/** Address poisoning imitates the first and last four characters, which users compare (spec §9). */
function isLookalike(earlier: string, address: string): boolean {
  const [a, b] = [earlier.toLowerCase(), address.toLowerCase()]
  const skipped = a.startsWith('0x') ? 2 : 0
  return a !== b && a.slice(0, skipped + 4) === b.slice(0, skipped + 4) && a.slice(-4) === b.slice(-4)
}

function urisOf(fields: readonly Field[]): readonly string[] {
  return fields.flatMap(({ name, value }) => (name === 'URI' && typeof value === 'string' ? [value] : []))
}

function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : ''
}
