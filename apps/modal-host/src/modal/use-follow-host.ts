import { limits } from '@postern/protocol'
import { useLayoutEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useSnapshot } from '../views/host-context'
import { depthOf, isAttemptView, viewAt, viewPath } from '../views/navigation'
import { nextView } from './follow'

/** Keeps the router with the host (see follow.ts). True when there is something to show: open, and at the view that was asked for. */
export function useFollowHost(): boolean {
  const location = useLocation()
  const navigate = useNavigate()
  const open = useSnapshot((snapshot) => snapshot.open)
  const opening = useSnapshot((snapshot) => snapshot.opening)
  const connections = useSnapshot((snapshot) => snapshot.connections)
  const activeNetworkId = useSnapshot((snapshot) => snapshot.activeNetworkId)
  const connectAttempt = useSnapshot((snapshot) => snapshot.connectAttempt)
  const [arrived, setArrived] = useState<number | null>(null)

  const view = viewAt(location.pathname)
  const here = { view, depth: depthOf(location), arrived }
  const next = nextView(here, { open, opening, connections, activeNetworkId, connectAttempt })
  if (open && arrived !== opening.key && next === null) setArrived(opening.key)

  // A tick is there to be seen, and a closing card must not change under the eye: both hold the next view for a moment.
  const ticking = isAttemptView(view) && connectAttempt?.status.kind === 'connected'
  const pause = ticking ? successPause : open ? 0 : limits.viewTransition
  // Another face of the same step: the way back is the same.
  const depth = next !== null && isAttemptView(next) && arrived === opening.key ? here.depth : 0
  useLayoutEffect(() => {
    if (next === null) return
    const go = () => void navigate(viewPath(next), { replace: true, state: { depth } })
    if (pause === 0) return go()
    const timer = setTimeout(go, pause)
    return () => clearTimeout(timer)
  }, [next, depth, pause, navigate])

  return open && arrived === opening.key
}

/** How long the tick of a made connection stands, in ms; the host closes the modal before that, unless the page keeps it open. */
const successPause = 900
