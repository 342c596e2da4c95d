import { limits } from '@postern/protocol'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useSnapshot } from '../views/host-context'
import { depthOf, isAttemptView, type View, viewAt, viewPath } from '../views/navigation'
import { behind, nextMove } from './follow'

/** Keeps the router with the host (see follow.ts). True when there is something to show: open, and at the view that was asked for. */
export function useFollowHost(): boolean {
  const location = useLocation()
  const navigate = useNavigate()
  const open = useSnapshot((snapshot) => snapshot.open)
  const opening = useSnapshot((snapshot) => snapshot.opening)
  const connections = useSnapshot((snapshot) => snapshot.connections)
  const activeNetworkId = useSnapshot((snapshot) => snapshot.activeNetworkId)
  const connectAttempt = useSnapshot((snapshot) => snapshot.connectAttempt)
  const signIn = useSnapshot((snapshot) => snapshot.signIn)
  const emailChange = useSnapshot((snapshot) => snapshot.emailChange)
  const embedded = useSnapshot((snapshot) => snapshot.embedded)
  const approvals = useSnapshot((snapshot) => snapshot.approvals)
  const listens = useRef(false)
  const missed = useRef(false)
  const [listening, setListening] = useState(false)
  const [arrived, setArrived] = useState<number | null>(null)

  const view = viewAt(location.pathname)
  const here = { view, depth: depthOf(location), arrived }
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
  })
  const next = move?.to ?? null
  const stepIn = move?.stepIn ?? false
  if (open && arrived !== opening.key && next === null) setArrived(opening.key)

  // A tick is there to be seen, and a closing card must not change under the eye: both hold the next view for a moment.
  const ticking = isAttemptView(view) && connectAttempt?.status.kind === 'connected'
  const pause = ticking ? successPause : open ? 0 : limits.viewTransition
  // Another face of the same step: the way back is the same.
  const sameStep = next !== null && next !== behind && arrived === opening.key && !homes.has(next)
  const depth = stepIn ? here.depth + 1 : sameStep ? here.depth : 0
  useLayoutEffect(() => {
    if (next === null) return
    if (!(listening || listens.current)) {
      missed.current = true
      return
    }
    const go = () => {
      if (next === behind) void navigate(-1)
      else void navigate(viewPath(next), { replace: !stepIn, state: { depth } })
    }
    if (pause === 0) return go()
    const timer = setTimeout(go, pause)
    return () => clearTimeout(timer)
  }, [next, stepIn, depth, pause, navigate, listening])
  // The router hears nothing before its first render is over: what is to be done by then is done after it.
  useEffect(() => {
    listens.current = true
    if (missed.current) setListening(true)
  }, [])

  return open && arrived === opening.key
}

/** Where a way begins: there is nothing to go back to. */
const homes: ReadonlySet<View> = new Set(['Connect', 'Account', 'UnsupportedChain'])

/** How long the tick of a made connection stands, in ms; the host closes the modal before that, unless the page keeps it open. */
const successPause = 900
