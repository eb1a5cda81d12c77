//! What the help of commands says beside the catalog: what a command of several verbs is for, and examples for a shell.

use std::borrow::Cow;

use super::verb_command::verbs_of;

/// What a command is for that several verbs share.
pub(super) fn about(path: &str) -> Option<&'static str> {
    Some(match path {
        "frame" => "Render a context for an intent: self, attention, task, simulate, search, or a frame of your own",
        "contradictions" => "List blocks that contradict each other, or settle which one holds",
        "secrets" => "Look for keys, tokens and passwords in what is stored",
        "tag" => "Add tags to a block or take them off",
        "proposals" => "List the changes that the memory proposes, and accept or reject them",
        "event" => "Store events and list them: pieces of experience with a kind, a source, a context and links",
        "context" => "List contexts, show one, and show how they are linked",
        "session" => "Begin or end a session; its whole time counts as time in use",
        _ => return None,
    })
}

/// What is written below the options of a command: examples, or the one example of the verb's card.
pub(super) fn after_help(path: &str) -> Option<Cow<'static, str>> {
    let card_example = || {
        let example = verbs_of(path).next()?.card.example.replace('\n', "\n  ");
        Some(format!("Example:\n  {example}").into())
    };
    shell_examples(path).map(Cow::Borrowed).or_else(card_example)
}

/// Examples that a card has no room for: pipes, several ways to call it, and what else to know.
fn shell_examples(path: &str) -> Option<&'static str> {
    Some(match path {
        "remember" => {
            "Examples:
  elfmem remember \"Deploys go out on Tuesdays\" --tag topic/release
  elfmem remember --category decision < decision.md
  echo \"The port is 5433\" | elfmem remember -"
        }
        "learn-document" => {
            "Examples:
  elfmem learn-document README.md --tag topic/project
  elfmem learn-document README.md        # again after a change: replaces what changed
  elfmem learn-document page.txt --name https://example.com/page --source tool:web
  curl -s localhost:8000/page.txt | elfmem learn-document -"
        }
        "recall" => {
            "Examples:
  elfmem recall \"who can't eat nuts?\"
  elfmem recall deploy tuesday --top-k 3 --explain
  elfmem recall \"what did we decide?\" --category decision --since 2026-05-01
  elfmem recall \"what broke last week?\" --tag 'topic/%' --json"
        }
        "frame" => {
            "Examples:
  elfmem frame self
  elfmem frame attention \"planning the release\"
  elfmem frame add review --weights 0.5,0.2,0.1,0.1,0.1 --tag 'topic/review%' --budget 800
  elfmem frame ls"
        }
        "dream" => {
            "Examples:
  elfmem dream --dry-run
  elfmem dream --max 50
  elfmem dream --rescore
  elfmem dream --review                # what dreams replaced since the last review
  elfmem dream --keep all              # all of it was right
  elfmem dream --pending --json        # what waits, for an agent to analyse itself
  elfmem dream --analyses - < mine.json"
        }
        "contradictions" => {
            "Examples:
  elfmem contradictions
  elfmem contradictions resolve 1f3a 9c02 --keep 9c02
  elfmem contradictions resolve 1f3a 9c02 --both \"one is staging, one production\"
  elfmem contradictions resolve 1f3a 9c02 --replace \"The port is 5433 since May\""
        }
        "edit" => {
            "Examples:
  elfmem edit 1f3a \"The port is 5433\"
  elfmem edit 1f3a --tag topic/db --untag draft --category decision
  elfmem edit 1f3a --cue \"connecting to the database\""
        }
        "purge" => {
            "Examples:
  elfmem purge 1f3a
  elfmem purge 1f3a --yes        # in a script"
        }
        "retract" => {
            "Examples:
  elfmem retract --source handbook.md --dry-run
  elfmem retract --source tool:web
  elfmem undo        # takes the whole of it back

One outcome is taken back with `elfmem outcome --retract ID`."
        }
        "secrets" => {
            "Examples:
  elfmem secrets scan
  elfmem secrets scan --redact --yes        # in a script"
        }
        "tag" => {
            "Examples:
  elfmem tag add 1f3a topic/db durable
  elfmem tag rm 1f3a draft"
        }
        "proposals" => {
            "Examples:
  elfmem proposals
  elfmem proposals accept 3 5
  elfmem proposals reject 4"
        }
        "undo" => {
            "Examples:
  elfmem undo --dry-run
  elfmem undo
  elfmem undo 12
  elfmem undo 13        # 13 was the undo of 12: brings it back"
        }
        "connect" => {
            "Examples:
  elfmem connect 1f3a 9c02 --relation supports --note \"B gives the mechanism behind A\"
  elfmem connect 1f3a 9c02 --relation elaborates --if-exists update
  elfmem connect --by-query \"how deploys work\" \"who may deploy\" --dry-run

Relations: similar, co_occurs, elaborates, supports, contradicts, outcome, or any word of your own."
        }
        "connects" => {
            "Example:
  echo '[{\"source\": \"1f3a\", \"target\": \"9c02\", \"relation\": \"supports\"}]' | elfmem connects -

Each edge may also have weight, note and if_exists. One that cannot be placed does not stop the others."
        }
        "disconnect" => {
            "Examples:
  elfmem disconnect 1f3a 9c02
  elfmem disconnect 1f3a 9c02 --guard-relation similar --reason \"only the words are alike\""
        }
        "link" => {
            "Examples:
  elfmem link 6b0c8d3a reinforces 1f3a9c02
  elfmem link 6b0c8d3a extends skill:react
  elfmem link project:shop related_to skill:react --note \"the shop is written in it\"

reinforces adds 0.05 to the confidence of what it names, up to 1.0; contradicts takes 0.10, down to 0.2."
        }
        "chain" => {
            "Examples:
  elfmem chain 6b0c8d3a
  elfmem chain 1f3a9c02 --ahead        # what grew out of it"
        }
        "retrieve" => {
            "Examples:
  elfmem retrieve \"declaring variables in React\"
  elfmem retrieve deploy --context project:shop --source validator --limit 3
  elfmem retrieve forms --context-types '{\"skill\": [\"react\"]}' --depth 2"
        }
        "graduate" => {
            "Examples:
  elfmem graduate --dry-run
  elfmem graduate                       # proposes what is ready
  elfmem graduate --apply
  elfmem graduate 1f3a9c02 --text \"Always use const or let in React components\""
        }
        "outcome" => {
            "Examples:
  elfmem outcome 1f3a 9c02 --signal 0.9
  elfmem outcome 1f3a --signal 0 --weight 2 --source review
  elfmem outcome --retract 00c0ffee00c0ffee

Above 0.5 blocks are kept fresh and joined; below 0.2 they fade faster; in between only confidence moves."
        }
        "curate" => "It runs by itself before a session and after a dream when 40 active hours have passed.",
        "ls" => {
            "Examples:
  elfmem ls
  elfmem ls --status inbox --limit 5
  elfmem ls --tag 'self/%'"
        }
        "log" => {
            "Examples:
  elfmem log
  elfmem log 6b0c8d3a"
        }
        "verify" => {
            "Examples:
  elfmem verify
  elfmem verify --repair
  elfmem verify --digest        # two memories that hold the same share it

It ends with code 1 when something is wrong."
        }
        "guide" => {
            "Examples:
  elfmem guide
  elfmem guide recall"
        }
        "event store" => {
            "Examples:
  elfmem event store --kind observation --context error:var_in_react --content \"Used var instead of const\"
  elfmem event store event.json
  echo '{\"event_kind\": \"fact\", \"payload\": {\"topic\": \"port\", \"value\": 5433}}' | elfmem event store -
  elfmem event store --kind decision --content \"Always use const\" --link reinforces=1f3a9c02 --extends skill:react"
        }
        _ => return None,
    })
}
