import { Button } from '@postern/ui/button'
import { useText } from '@postern/ui/locales/text'
import { TroubleMessage } from '@postern/ui/trouble-message'

type UnreachableProps = { readonly title: string; readonly text: string; readonly onRetry: () => unknown }

/** Says who did not respond, with a retry button. */
export function Unreachable({ title, text, onRetry }: UnreachableProps) {
  const t = useText()
  return (
    <>
      <TroubleMessage title={title} text={text} />
      <Button tone="primary" onPress={() => void onRetry()}>
        {t('tryAgain')}
      </Button>
    </>
  )
}
