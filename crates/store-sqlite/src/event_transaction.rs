//! Events, contexts and links of an open transaction.

use elfmem_core::event::ContextId;
use elfmem_core::{BlockId, Link, LinkEffect, LinkKey};
use elfmem_store::{
    Context, ContextQuery, CountedContext, Enrolment, Entity, Event, EventQuery, EventSnapshot, EventTransaction,
    LinkQuery, StoreError,
};

use crate::transaction::SqliteTransaction;
use crate::{contexts, events, links};

type Result<T> = std::result::Result<T, StoreError>;

impl EventSnapshot for SqliteTransaction<'_> {
    fn get_event(&self, id: &str) -> Result<Option<Event>> {
        events::get(self.connection(), self.scopes(), id)
    }

    fn list_events(&self, query: &EventQuery) -> Result<Vec<Event>> {
        events::list(self.connection(), self.scopes(), query)
    }

    fn count_events(&self, query: &EventQuery) -> Result<u64> {
        events::count(self.connection(), self.scopes(), query)
    }

    fn get_context(&self, id: &ContextId) -> Result<Option<CountedContext>> {
        contexts::get(self.connection(), self.scopes(), id)
    }

    fn list_contexts(&self, query: &ContextQuery) -> Result<Vec<CountedContext>> {
        contexts::list(self.connection(), self.scopes(), query)
    }

    fn count_contexts(&self, query: &ContextQuery) -> Result<Vec<(String, u64)>> {
        contexts::count(self.connection(), self.scopes(), query)
    }

    fn get_enrolments(&self, blocks: &[BlockId]) -> Result<Vec<Enrolment>> {
        contexts::enrolments_of(self.connection(), self.scopes(), blocks)
    }

    fn get_enrolled(&self, context: &ContextId) -> Result<Vec<Enrolment>> {
        contexts::enrolled(self.connection(), self.scopes(), context)
    }

    fn get_link(&self, key: &LinkKey) -> Result<Option<Link>> {
        links::get(self.connection(), self.scopes(), key)
    }

    fn list_links(&self, query: &LinkQuery) -> Result<Vec<Link>> {
        links::list(self.connection(), self.scopes(), query)
    }

    fn get_effects(&self, block: &BlockId) -> Result<Vec<LinkEffect>> {
        links::effects_on(self.connection(), self.scopes(), block)
    }

    fn get_effects_of(&self, key: &LinkKey) -> Result<Vec<LinkEffect>> {
        links::effects_of(self.connection(), self.scopes(), key)
    }
}

impl EventTransaction for SqliteTransaction<'_> {
    fn insert_event(&mut self, event: &Event) -> Result<bool> {
        let stored = events::insert(self.connection(), self.own_scope(), event)?;
        if stored {
            self.note(Entity::Event, event_name(event), None, Some(event));
        }
        Ok(stored)
    }

    fn delete_event(&mut self, id: &str) -> Result<bool> {
        let Some(before) = self.get_event(id)? else { return Ok(false) };
        events::delete(self.connection(), id)?;
        self.note(Entity::Event, event_name(&before), Some(&before), None);
        Ok(true)
    }

    fn insert_context(&mut self, context: &Context) -> Result<bool> {
        let stored = contexts::insert(self.connection(), self.own_scope(), context)?;
        if stored {
            self.note(Entity::Context, context.id.to_string(), None, Some(context));
        }
        Ok(stored)
    }

    fn delete_context(&mut self, id: &ContextId) -> Result<bool> {
        let Some(before) = contexts::own(self.connection(), self.own_scope(), id)? else { return Ok(false) };
        contexts::delete(self.connection(), self.own_scope(), id)?;
        self.note(Entity::Context, id.to_string(), Some(&before), None);
        Ok(true)
    }

    fn put_enrolment(&mut self, enrolment: &Enrolment) -> Result<()> {
        let (block, context) = (&enrolment.block_id, &enrolment.context_id);
        let before = contexts::enrolment(self.connection(), self.own_scope(), block, context)?;
        contexts::put_enrolment(self.connection(), self.own_scope(), enrolment)?;
        self.note(Entity::Enrolment, enrolment_name(enrolment), before.as_ref(), Some(enrolment));
        Ok(())
    }

    fn delete_enrolment(&mut self, block: &BlockId, context: &ContextId) -> Result<bool> {
        let before = contexts::enrolment(self.connection(), self.own_scope(), block, context)?;
        let Some(before) = before else { return Ok(false) };
        contexts::delete_enrolment(self.connection(), self.own_scope(), &before)?;
        self.note(Entity::Enrolment, enrolment_name(&before), Some(&before), None);
        Ok(true)
    }

    fn put_link(&mut self, link: &Link) -> Result<Link> {
        let before = links::own(self.connection(), self.own_scope(), &link.key)?;
        let sequence = links::put(self.connection(), self.own_scope(), link)?;
        let stored = Link { sequence, ..link.clone() };
        self.note(Entity::Link, link.key.name(), before.as_ref(), Some(&stored));
        Ok(stored)
    }

    fn delete_link(&mut self, key: &LinkKey) -> Result<bool> {
        let Some(before) = links::own(self.connection(), self.own_scope(), key)? else { return Ok(false) };
        links::delete(self.connection(), self.own_scope(), key)?;
        self.note(Entity::Link, key.name(), Some(&before), None);
        Ok(true)
    }

    fn put_effect(&mut self, effect: &LinkEffect) -> Result<()> {
        let before = links::effect(self.connection(), &effect.key, &effect.block_id)?;
        links::put_effect(self.connection(), effect)?;
        self.note(Entity::Effect, effect_name(effect), before.as_ref(), Some(effect));
        Ok(())
    }

    fn delete_effect(&mut self, effect: &LinkEffect) -> Result<()> {
        let Some(before) = links::effect(self.connection(), &effect.key, &effect.block_id)? else { return Ok(()) };
        links::delete_effect(self.connection(), &effect.key, &effect.block_id)?;
        self.note(Entity::Effect, effect_name(effect), Some(&before), None);
        Ok(())
    }
}

impl SqliteTransaction<'_> {
    /// Removes what events, contexts and links hold of a block that goes. Its events stay: they were told.
    pub(crate) fn detach(&mut self, block: &BlockId) -> Result<()> {
        for enrolment in self.get_enrolments(std::slice::from_ref(block))? {
            self.delete_enrolment(&enrolment.block_id, &enrolment.context_id)?;
        }
        for effect in self.get_effects(block)? {
            self.delete_effect(&effect)?;
        }
        for (scope, link) in links::at_block(self.connection(), block)? {
            links::delete(self.connection(), &scope, &link.key)?;
            self.note(Entity::Link, link.key.name(), Some(&link), None);
        }
        Ok(())
    }
}

fn event_name(event: &Event) -> String {
    match &event.block_id {
        Some(block) => format!("{}|{block}", event.id),
        None => event.id.clone(),
    }
}

fn enrolment_name(enrolment: &Enrolment) -> String {
    format!("{}|{}", enrolment.block_id, enrolment.context_id)
}

fn effect_name(effect: &LinkEffect) -> String {
    format!("{}|{}", effect.block_id, effect.key.name())
}
