import { limits } from '@postern/protocol'
import { useLayoutEffect, useRef, useState } from 'react'
import { factsOfView } from '../../snapshot/views'
import { useSnapshot } from '../../view-kit/host-context'
import { isAttemptView, useNavigation } from '../../view-kit/navigation'
import { behind, nextMove } from './follow'

/** True if open and at the requested view. */
export function useFollowHost(): boolean {
  const { view, key, depth, dispatch } = useNavigation()
  const open = useSnapshot((snapshot) => snapshot.open)
  const opening = useSnapshot((snapshot) => snapshot.opening)
  const connections = useSnapshot((snapshot) => snapshot.connections)
  const activeNetworkId = useSnapshot((snapshot) => snapshot.activeNetworkId)
  const connectAttempt = useSnapshot((snapshot) => snapshot.connectAttempt)
  const signIn = useSnapshot((snapshot) => snapshot.signIn)
  const emailChange = useSnapshot((snapshot) => snapshot.emailChange)
  const embedded = useSnapshot((snapshot) => snapshot.embedded)
  const approvals = useSnapshot((snapshot) => snapshot.approvals)
  const walletRequests = useSnapshot((snapshot) => snapshot.walletRequests)
  const signInPrompt = useSnapshot((snapshot) => snapshot.signInPrompt)
  const [arrived, setArrived] = useState<number | null>(null)
  /** The view that a delayed move leaves must not count as arrived if React draws an opening first. */
  const left = useRef<number | null>(null)

  const here = { view, depth, arrived }
  const move = nextMove(here, {
    open,
    opening,
    connections,
    activeNetworkId,
    connectAttempt,
    signIn,
    emailChange,
    embedded,
    approvals,
    walletRequests,
    signInPrompt,
  })
  const next = move?.to ?? null
  const stepIn = move?.stepIn ?? false
  if (open && arrived !== opening.key && next === null && left.current !== key) setArrived(opening.key)

  // Delays the next view during the success tick and while closing.
  const ticking = isAttemptView(view) && connectAttempt?.status.kind === 'connected'
  const pause = ticking ? successPause : open ? 0 : limits.viewTransition
  // The same flow keeps its history.
  const sameStep = next !== null && next !== behind && arrived === opening.key && factsOfView(next).home !== true
  const kind = stepIn ? 'push' : sameStep ? 'replace' : 'reset'
  useLayoutEffect(() => {
    if (next === null) return
    const go = () => dispatch(next === behind ? { kind: 'back' } : { kind, view: next })
    if (pause === 0) return go()
    const timer = setTimeout(() => {
      left.current = key
      go()
    }, pause)
    return () => clearTimeout(timer)
  }, [next, kind, pause, key, dispatch])

  return open && arrived === opening.key
}

/** In ms. The host closes the modal sooner, unless the page keeps it open. */
const successPause = 900
