import { type ReactNode, useEffect } from 'react'
import type { OpenOptions } from '../types/index'
import { useProvided } from './context'
import { type UseAccount, type UseNetwork, useAccount, useModal, useNetwork } from './hooks'

export type ConnectButtonProps = {
  /** Default: “Connect wallet”. */
  readonly label?: string
  readonly className?: string
  readonly name?: boolean
  readonly avatar?: boolean
  readonly balance?: boolean
}

export type ConnectButtonState = UseAccount & {
  readonly network: UseNetwork['network']
  readonly isUnsupported: boolean
  readonly isOpen: boolean
  /** For `onClick`. Failures show in the page and as `error` events. */
  readonly open: (options?: OpenOptions) => void
  /** For `onPointerEnter` and `onFocus`. */
  readonly prewarm: () => void
}

/** The button of `@postern/client/elements`; `ConnectButton.Custom` draws your own. */
export function ConnectButton({ label, className, name, avatar, balance }: ConnectButtonProps): ReactNode {
  const { options } = useProvided()
  const { address } = useAccount()
  useEffect(() => void import('../elements/index'), [])
  // React 18 writes `false` as an attribute.
  const details = { name: name || undefined, avatar: avatar || undefined, balance: balance || undefined }
  return (
    <postern-button project-id={options.projectId} label={label} class={className} {...details}>
      {address === undefined ? (label ?? 'Connect wallet') : `${address.slice(0, 4)}…${address.slice(-6)}`}
    </postern-button>
  )
}

export type CustomConnectButtonProps = { readonly children: (state: ConnectButtonState) => ReactNode }

/**
 * @example
 * <ConnectButton.Custom>
 *   {({ address, open }) => <button onClick={() => open()}>{address ?? 'Connect'}</button>}
 * </ConnectButton.Custom>
 */
function Custom({ children }: CustomConnectButtonProps): ReactNode {
  const account = useAccount()
  const { network, isUnsupported } = useNetwork()
  const { isOpen, open, prewarm } = useModal()
  return children({
    ...account,
    network,
    isUnsupported,
    isOpen,
    open: (options) => void open(options).catch(() => {}),
    prewarm,
  })
}

ConnectButton.Custom = Custom
