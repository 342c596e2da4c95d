import { Button } from '@postern/ui/button'
import { createContext, useContext } from 'react'
import type { WatchArming } from '../../approval/arming/arming'
import { useArming } from '../../approval/arming/use-arming'

export const WatchContext = createContext<WatchArming>(() => () => undefined)

type ArmedButtonProps = {
  readonly onPress: () => void
  readonly busy?: boolean
  readonly ready?: boolean
  readonly tone?: 'primary' | 'bad'
  readonly children: string
}

/** Arms late, so that the double click that opened the window cannot press it. */
export function ArmedButton({ onPress, busy = false, ready = true, tone = 'primary', children }: ArmedButtonProps) {
  const { armed, wrapper } = useArming(useContext(WatchContext), ready)
  return (
    <div {...wrapper}>
      <Button tone={tone} disabled={!armed} busy={busy} onPress={onPress}>
        {children}
      </Button>
    </div>
  )
}
