import { Button } from '@postern/ui/button'
import { ErrorMessage } from '@postern/ui/error-message'
import { useText } from '@postern/ui/locales/text'

type ErrorWithRetryProps = { readonly title: string; readonly text: string; readonly onRetry: () => unknown }

export function ErrorWithRetry({ title, text, onRetry }: ErrorWithRetryProps) {
  const t = useText()
  return (
    <>
      <ErrorMessage title={title} text={text} />
      <Button tone="primary" onPress={() => void onRetry()}>
        {t('tryAgain')}
      </Button>
    </>
  )
}
