import { isSameAddress } from '@postern/chains/same-address'
import type { ApprovalRequest } from '@postern/protocol'
import type { DescribeContext, Field, IntentStep, Warning } from './intent'
import { newOwnersIn } from './solana-instruction'
import { cut } from './typed-data'

/** By severity; also the display order. */
const order: readonly Warning['kind'][] = [
  'domainMismatch',
  'wouldFail',
  'givesControl',
  'lookalikeRecipient',
  'approvesAll',
  'unlimitedApproval',
  'unusualSighash',
  'notDecoded',
  'highFee',
  'unknownContract',
  'firstTimeRecipient',
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
 * 1. A sign-in for another domain than the page's.
 * 2. Unlimited allowances, and approvals of everything; revoking one gives no warning.
 * 3. Contracts and recipients that the user has not approved before; never the user's own addresses.
 * 4. Accounts that another address would control.
 * 5. A recipient with the same first and last characters as an earlier one.
 */
export function warningsOf(
  { origin, blocked, subject }: ApprovalRequest,
  steps: readonly IntentStep[],
  { own, known }: Pick<DescribeContext, 'own' | 'known'>,
): readonly Warning[] {
  const includes = (list: readonly string[], address: string) => list.some((one) => isSameAddress(one, address))
  const contract = (address: string): Warning[] =>
    isAddress(address) && includes(known, address) ? [] : [{ kind: 'unknownContract', contract: address }]
  const recipient = (address: string): Warning[] => {
    // A lookup table key or a bare script is no address, however often it was approved.
    if (!isAddress(address)) return [{ kind: 'notDecoded' }]
    if (includes(own, address) || includes(known, address)) return []
    const earlier = known.find((one) => isLookalike(one, address))
    return [
      ...(earlier === undefined ? [] : [{ kind: 'lookalikeRecipient' as const, recipient: address, earlier }]),
      { kind: 'firstTimeRecipient', recipient: address },
    ]
  }
  const ofStep = (step: IntentStep): readonly Warning[] => {
    switch (step.kind) {
      case 'signIn':
        return blocked === 'DOMAIN_MISMATCH' || step.domain.toLowerCase() !== hostOf(origin)
          ? [{ kind: 'domainMismatch', domain: step.domain, origin }]
          : []
      case 'approve':
      case 'permit':
        return [
          ...(step.amount.unlimited ? [{ kind: 'unlimitedApproval' as const, spender: step.spender }] : []),
          ...(step.amount.raw === '0' ? [] : contract(step.spender)),
        ]
      case 'approveAll':
        return step.granted ? [{ kind: 'approvesAll', spender: step.spender }, ...contract(step.spender)] : []
      case 'transfer':
        return recipient(step.to)
      case 'swap':
        return [...contract(step.contract), ...(includes(own, step.recipient) ? [] : recipient(step.recipient))]
      case 'call':
        return [...contract(step.contract), ...(step.name === undefined ? [{ kind: 'notDecoded' as const }] : [])]
      case 'instruction':
        return step.name === undefined
          ? [...contract(step.program), { kind: 'notDecoded' }]
          : newOwnersIn(step.fields).map((to) => ({ kind: 'givesControl', to }))
      case 'typedData':
        return isCut(step.fields) ? [{ kind: 'notDecoded' }] : []
      case 'outputs':
        return step.outputs.filter((output) => !output.own).flatMap(({ to }) => recipient(to))
      default:
        return []
    }
  }
  const mismatch: readonly Warning[] =
    blocked === 'DOMAIN_MISMATCH' && !steps.some(({ kind }) => kind === 'signIn')
      ? [{ kind: 'domainMismatch', domain: subject.kind, origin }]
      : []
  return [...mismatch, ...steps.flatMap(ofStep)]
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

function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : ''
}
