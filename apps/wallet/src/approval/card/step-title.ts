import { isRevocation } from '@postern/chains/amount'
import { type TextKey, useText } from '@postern/ui/locales/text'
import type { IntentStep } from '../../intent/intent'
import { useQuantity } from './amount-text'

const titles: Readonly<Record<Exclude<IntentStep['kind'], 'approveAll' | 'permission'>, TextKey>> = {
  transfer: 'step.transfer',
  approve: 'step.approve',
  increase: 'step.increase',
  permit: 'step.permit',
  swap: 'step.swap',
  deploy: 'step.deploy',
  create: 'step.create',
  signIn: 'step.signIn',
  cancel: 'step.cancel',
  message: 'step.message',
  typedData: 'step.typedData',
  call: 'step.call',
  instruction: 'step.instruction',
  outputs: 'step.outputs',
  order: 'step.order',
  user: 'step.user',
}

export function useStepTitle(): (step: IntentStep) => string {
  const t = useText()
  const quantity = useQuantity()
  return (step) => {
    switch (step.kind) {
      case 'approveAll':
        return t(step.granted ? 'step.approveAll' : 'step.revokeAll')
      case 'permission':
        return t(step.action === 'grant' ? 'step.grant' : 'step.revoke')
      case 'permit':
        return t(isRevocation(step.spender, step.amount) ? 'step.revoke' : titles.permit)
      case 'transfer':
      case 'approve': {
        const { kind, amount } = step
        if (kind === 'approve' && isRevocation(step.spender, amount)) return t('step.revoke')
        if (amount.tokenId === undefined) return t(titles[kind])
        return t(kind === 'transfer' ? 'step.transferItem' : 'step.approveItem', { item: quantity(amount) })
      }
      default:
        return t(titles[step.kind])
    }
  }
}
