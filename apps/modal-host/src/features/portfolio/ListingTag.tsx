import { isMisleading, type WithListing } from '@postern/protocol'
import { useText } from '@postern/ui/locales/text'
import { Tag } from '@postern/ui/row'

/** Marks a token whose name misleads; in a list without groups, unlisted ones too. */
export function ListingTag({ listing, grouped = true }: WithListing & { readonly grouped?: boolean }) {
  const t = useText()
  if (listing === undefined || listing === 'listed' || (grouped && listing === 'unlisted')) return null
  return <Tag tone={isMisleading({ listing }) ? 'warn' : 'quiet'}>{t('tokens.listing', { listing })}</Tag>
}
