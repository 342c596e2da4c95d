import type { Network } from '@postern/protocol'
import { useText } from '@postern/ui/locales/text'
import { useActions, useSnapshot } from '../host-context'
import { useShortErrorMessage } from '../messages/short-error-message'

export type NetworkSwitch = {
  readonly isWaiting: boolean
  /** Null if the wallet was not asked. */
  readonly error: string | null
  press(): void
}

export function useSwitchNetwork({ caipNetworkId }: Pick<Network, 'caipNetworkId'>): NetworkSwitch {
  const t = useText()
  const errorMessage = useShortErrorMessage(true)
  const { switchNetwork } = useActions()
  const status = useSnapshot(({ switchAttempt }) =>
    switchAttempt?.networkId === caipNetworkId ? switchAttempt.status : null,
  )
  const errorOf = () => {
    if (status?.kind === 'declined') return t('networks.declined')
    return status?.kind === 'failed' ? errorMessage(status) : null
  }
  return {
    isWaiting: status?.kind === 'waiting',
    error: errorOf(),
    // `switchAttempt` has the failure.
    press: () => void switchNetwork(caipNetworkId).catch(() => undefined),
  }
}
