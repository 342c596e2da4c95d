import { DeviceIcon } from '@postern/ui/view-icons'
import { Question } from '../components/question'
import { Working } from '../components/waiting'
import type { FlowGiven } from '../flow'
import { useMachine } from '../machine'
import { useSay } from '../say-context'
import { keepFlow } from './keep'

export function KeepScreen({ given }: { readonly given: FlowGiven }) {
  const say = useSay()
  const [state, actions] = useMachine(keepFlow, given)
  switch (state.step) {
    case 'working':
      return <Working title={say(state.title)} />
    case 'keep':
      return (
        <Question
          title={say('keep.title')}
          text={say('keep.text')}
          icon={DeviceIcon}
          no="cancel"
          onNo={given.cancel}
          yes={say('keep.button')}
          onYes={() => actions.keep(state.store)}
        />
      )
    case 'open':
      return (
        <Question
          title={say('open.title')}
          text={say('open.text', { origin: given.link.context.origin })}
          icon={DeviceIcon}
          no="cancel"
          onNo={given.cancel}
          yes={say('open.button')}
          onYes={() => actions.open(state.record)}
        />
      )
  }
}
