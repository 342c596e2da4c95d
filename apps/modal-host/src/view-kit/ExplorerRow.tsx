import { useText } from '@postern/ui/locales/text'
import { LinkRow, RowGlyph } from '@postern/ui/row'
import { ReceiptIcon } from '@postern/ui/view-icons'

export function ExplorerRow({ explorer, href }: { readonly explorer: string; readonly href: string }) {
  const t = useText()
  return (
    <LinkRow
      icon={
        <RowGlyph>
          <ReceiptIcon />
        </RowGlyph>
      }
      title={t('account.explorer', { explorer })}
      href={href}
    />
  )
}
