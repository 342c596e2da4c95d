import { explorerUrl } from '@postern/chains/adapter'
import type { Network } from '@postern/protocol'
import { ButtonLink, ButtonPair } from '@postern/ui/button'
import type { ReactNode } from 'react'

type EndActionsProps = {
  readonly network: Network | undefined
  readonly hash: string | null
  readonly children: ReactNode
}

export function EndActions({ network, hash, children }: EndActionsProps) {
  const href = network === undefined || hash === null ? undefined : explorerUrl(network, 'tx', hash)
  const explorer = network?.blockExplorers[0]?.name
  if (href === undefined || explorer === undefined) return children
  return (
    <ButtonPair>
      <ButtonLink tone="secondary" href={href}>
        {explorer}
      </ButtonLink>
      {children}
    </ButtonPair>
  )
}
