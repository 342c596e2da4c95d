import styles from './action.module.css'
import { Button } from './Button'
import unseen from './unseen.module.css'
import { useAction } from './use-action'

type ActionProps = {
  readonly label: string
  /** Completes the label for screen readers. */
  readonly of?: string
  readonly tone?: 'primary' | 'quiet'
  /** Shown after a success. */
  readonly done?: string | undefined
  readonly run: () => Promise<unknown>
}

/** A button that says how its work ended. */
export function Action({ label, of, tone = 'primary', done, run: act }: ActionProps) {
  const { state, run } = useAction()
  return (
    <div className={styles.action}>
      <Button tone={tone} busy={state.kind === 'busy'} onPress={() => run(act)}>
        {label}
        {of !== undefined && <span className={unseen.unseen}> {of}</span>}
      </Button>
      <p className={styles.note} role="status" data-kind={state.kind}>
        {state.kind === 'busy' && 'Working on it…'}
        {state.kind === 'done' && done}
        {state.kind === 'left' && 'You declined. Nothing was signed or sent.'}
        {state.kind === 'failed' && state.message}
      </p>
    </div>
  )
}
