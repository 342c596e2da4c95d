import type { Network } from '@postern/protocol'
import { useText } from '@postern/ui/locales/text'
import { useFailureText } from './failure-text'
import { useActions, useSnapshot } from './host-context'

export type SwitchTo = {
  readonly isWaiting: boolean
  /** Why the wallet is not there yet; null where nobody asked it. */
  readonly said: string | null
  press(): void
}

/** Asks the wallet to come to a network, and tells how that goes. */
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
    // How it failed stands in `switchAttempt`; a rejection here says no more than that.
    press: () => void switchNetwork(caipNetworkId).catch(() => undefined),
  }
}
