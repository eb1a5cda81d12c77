//! Imports events, contexts and links.

use elfmem_core::{Link, LinkEffect, LinkEnd, LinkKey};
use elfmem_store::{Context, Enrolment, Event};

use super::related_rows::{KEEPS_CONFIDENCE, MISSING_BLOCK, ONE_BLOCK};
use super::rows::RowImporter;
use crate::Result;

impl RowImporter<'_> {
    /// Imports an event, unless its block is missing.
    pub(super) fn event(&mut self, place: &str, event: &Event) -> Result<()> {
        let block_id = event.block_id.as_ref().map(|id| self.map_id(id));
        if let Some(block) = &block_id
            && !self.transaction.block_exists(block)?
        {
            self.result.skip(MISSING_BLOCK, || place.to_owned());
            return Ok(());
        }
        self.result.others += u64::from(self.transaction.insert_event(&Event { block_id, ..event.clone() })?);
        Ok(())
    }

    pub(super) fn context(&mut self, context: &Context) -> Result<()> {
        self.result.others += u64::from(self.transaction.insert_context(context)?);
        Ok(())
    }

    pub(super) fn enrolment(&mut self, place: &str, enrolment: &Enrolment) -> Result<()> {
        let block_id = self.map_id(&enrolment.block_id);
        if !self.transaction.block_exists(&block_id)? {
            self.result.skip(MISSING_BLOCK, || place.to_owned());
            return Ok(());
        }
        let known = self.transaction.get_enrolments(std::slice::from_ref(&block_id))?;
        if !known.iter().any(|known| known.context_id == enrolment.context_id) {
            self.transaction.put_enrolment(&Enrolment { block_id, ..enrolment.clone() })?;
            self.result.others += 1;
        }
        Ok(())
    }

    /// Maps a link to the block ids in this memory. Returns `None` if a block is missing.
    fn map_link(&mut self, place: &str, key: &LinkKey) -> Result<Option<LinkKey>> {
        let end = |end: &LinkEnd| match end {
            LinkEnd::Block(id) => LinkEnd::Block(self.map_id(id)),
            LinkEnd::Context(id) => LinkEnd::Context(id.clone()),
        };
        let key = LinkKey { from: end(&key.from), link_type: key.link_type, to: end(&key.to) };
        for block in [&key.from, &key.to].into_iter().filter_map(LinkEnd::block) {
            if !self.transaction.block_exists(block)? {
                self.result.skip(MISSING_BLOCK, || place.to_owned());
                return Ok(None);
            }
        }
        if key.from == key.to {
            self.result.skip(ONE_BLOCK, || place.to_owned());
            return Ok(None);
        }
        Ok(Some(key))
    }

    /// Imports a link without its effects, which are rows of their own. Imported links keep their
    /// order.
    pub(super) fn link(&mut self, place: &str, link: &Link) -> Result<()> {
        let Some(key) = self.map_link(place, &link.key)? else { return Ok(()) };
        if self.transaction.get_link(&key)?.is_none() {
            self.transaction.put_link(&Link { key, sequence: 0, ..link.clone() })?;
            self.result.others += 1;
        }
        Ok(())
    }

    pub(super) fn effect(&mut self, place: &str, effect: &LinkEffect) -> Result<()> {
        let block_id = self.map_id(&effect.block_id);
        if !self.created.contains(&block_id) {
            self.result.skip(KEEPS_CONFIDENCE, || place.to_owned());
            return Ok(());
        }
        let Some(key) = self.map_link(place, &effect.key)? else { return Ok(()) };
        self.result.others += 1;
        Ok(self.transaction.put_effect(&LinkEffect { key, block_id, ..effect.clone() })?)
    }
}
