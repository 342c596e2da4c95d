import type { DetailedHTMLProps, HTMLAttributes } from 'react'
import { usePosternState, useProvided } from './react/context'
import type { Namespace, Postern, Snapshot } from './types/index'

export type { CallState } from './frameworks/call'
export {
  ConnectButton,
  type ConnectButtonProps,
  type ConnectButtonState,
  type CustomConnectButtonProps,
} from './react/ConnectButton'
export {
  PosternProvider,
  type PosternProviderProps,
  usePosternEvent,
  usePosternState,
} from './react/context'
export {
  type UseAccount,
  type UseBalance,
  type UseConnect,
  type UseDisconnect,
  type UseModal,
  type UseNetwork,
  type UseSignIn,
  useAccount,
  useBalance,
  useConnect,
  useDisconnect,
  useModal,
  useNetwork,
  useSignIn,
} from './react/hooks'
export type { InitialState } from './server/initial-state'

export type UsePostern = { readonly postern: Postern; readonly snapshot: Snapshot }

/** Renders on every change. The other hooks select. */
export function usePostern(): UsePostern {
  const { postern } = useProvided()
  return { postern, snapshot: usePosternState((snapshot) => snapshot) }
}

type ButtonAttributes = DetailedHTMLProps<HTMLAttributes<HTMLElement>, HTMLElement> & {
  readonly label?: string | undefined
  readonly 'project-id'?: string | undefined
  readonly size?: 'small' | 'large' | undefined
  readonly disabled?: boolean | undefined
  readonly namespace?: Namespace | undefined
  readonly wallet?: string | undefined
  readonly name?: boolean | undefined
  readonly avatar?: boolean | undefined
  readonly balance?: boolean | undefined
  readonly class?: string | undefined
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'postern-button': ButtonAttributes
      'postern-account-button': ButtonAttributes
      'postern-network-button': ButtonAttributes
    }
  }
}
