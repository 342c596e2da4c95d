import { usePostern } from '@postern/client/react'
import { Action } from '../parts/Action'

/** Opens the modal's swap, filled in. */
export function Swap() {
  const { postern } = usePostern()
  const swap = { amount: '0.01', fromToken: 'ETH', toToken: 'DUSD' }
  return <Action label="Swap 0.01 ETH" run={() => postern.open({ view: 'Swap', swap })} />
}
