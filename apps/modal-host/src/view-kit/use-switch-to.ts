import type { Network } from '@postern/protocol'
import { useText } from '@postern/ui/locales/text'
import { useFailureText } from './failure-text'
import { useActions, useSnapshot } from './host-context'

export type SwitchTo = {
  readonly isWaiting: boolean
  /** Null if the wallet was not asked. */
  readonly said: string | null
  press(): void
}

export function useSwitchTo({ caipNetworkId }: Pick<Network, 'caipNetworkId'>): SwitchTo {
  const t = useText()
  const failureText = useFailureText()
  const { switchNetwork } = useActions()
  const status = useSnapshot(({ switchAttempt }) =>
    switchAttempt?.networkId === caipNetworkId ? switchAttempt.status : null,
  )
  const saidOf = () => {
    if (status?.kind === 'declined') return t('networks.declined')
    return status?.kind === 'failed' ? failureText(status) : null
  }
  return {
    isWaiting: status?.kind === 'waiting',
    said: saidOf(),
    // `switchAttempt` has the failure.
    press: () => void switchNetwork(caipNetworkId).catch(() => undefined),
  }
}
